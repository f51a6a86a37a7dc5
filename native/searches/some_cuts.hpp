// Which of a column's cuts are tried, where not all are?  The groups of equal values are handed over in ascending
// order; every cut between two of them that the least sizes allow is counted, and marked if it is
//
//   drawn      one of the places drawn for this column, ascending
//   boundary   between groups that are not both of one and the same class, or the first or last that is allowed
#pragma once

#include <cstdint>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

class CutMarks {
  public:
    static constexpr int MIXED = -1;
    // `is_marked` is written at the key of the group below each cut; `drawn` may be null: boundaries are marked then.
    CutMarks(const Least& least, std::int64_t rows, std::int64_t weight, const std::vector<std::int64_t>* drawn,
             std::vector<char>& is_marked)
        : least_(least), rows_(rows), weight_(weight), drawn_(drawn), is_marked_(is_marked) {}

    // The next group: its class if it has only one, else MIXED.
    void add(std::uint32_t key, std::int64_t rows, std::int64_t weight, int only_class) {
        if (below_ > 0) is_marked_[key_] = static_cast<char>(is_allowed() && is_wanted(only_class));
        key_ = key;
        only_class_ = only_class;
        below_ += rows;
        weight_below_ += weight;
    }
    // How many cuts were allowed.
    std::int64_t finish() {
        if (!drawn_ && count_ > 0) is_marked_[last_] = 1;
        return count_;
    }

  private:
    bool is_allowed() const {
        return below_ >= least_.rows && rows_ - below_ >= least_.rows && weight_below_ >= least_.weight &&
               weight_ - weight_below_ >= least_.weight;
    }
    bool is_wanted(int next_class) {
        const std::int64_t place = count_++;
        last_ = key_;
        if (!drawn_) return place == 0 || only_class_ == MIXED || only_class_ != next_class;
        if (next_ == drawn_->size() || (*drawn_)[next_] != place) return false;
        ++next_;
        return true;
    }

    Least least_;
    std::int64_t rows_, weight_;
    const std::vector<std::int64_t>* drawn_;
    std::vector<char>& is_marked_;
    std::uint32_t key_ = 0, last_ = 0;
    int only_class_ = MIXED;
    std::int64_t below_ = 0, weight_below_ = 0, count_ = 0;
    std::size_t next_ = 0;
};

}  // namespace hornbeam
