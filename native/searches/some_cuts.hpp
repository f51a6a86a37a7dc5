// Which of a column's cuts are tried, where not all are?  The groups of equal values are handed over in ascending
// order; every cut between two of them that the least sizes allow is counted, and marked if it is
//
//   drawn      one of the places drawn for this column, ascending
//   boundary   between groups that are not both of one and the same class, or the first or last that is allowed
//
// Where missing values may go to either side, a cut is two: first with them on the side of larger known weight (below
// on ties). Each is counted and marked by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// Rows and their weight.
struct RowSums {
    std::int64_t rows = 0, weight = 0;
};

class CutMarks {
  public:
    static constexpr int MIXED = -1;
    // `marks` is written at the key of the group below each cut: bit 0, or with missing values on either side a bit per
    // side. `drawn` may be null: boundaries are marked then.
    CutMarks(const Least& least, const RowSums& known, const RowSums& missing, const std::vector<std::int64_t>* drawn,
             std::vector<char>& marks)
        : least_(least), known_(known), missing_(missing), drawn_(drawn), marks_(marks) {}

    // The next group: its class if it has only one, else MIXED.
    void add(std::uint32_t key, std::int64_t rows, std::int64_t weight, int only_class) {
        if (below_.rows > 0) mark(only_class);
        key_ = key;
        only_class_ = only_class;
        below_.rows += rows;
        below_.weight += weight;
    }
    // How many cuts were allowed.
    std::int64_t finish() {
        if (!drawn_ && count_ > 0) marks_[last_] |= last_mark_;
        return count_;
    }

  private:
    void mark(int next_class) {
        marks_[key_] = 0;
        const auto mark_side = [&](int side) {
            if (is_allowed(side == 0) && is_wanted(next_class, static_cast<char>(1 << side))) marks_[key_] |= 1 << side;
        };
        if (missing_.rows == 0) return mark_side(0);
        const int first = 2 * below_.weight >= known_.weight ? 0 : 1;
        mark_side(first);
        mark_side(1 - first);
    }
    bool is_allowed(bool has_missing_below) const {
        const std::int64_t rows = below_.rows + (has_missing_below ? missing_.rows : 0);
        const std::int64_t weight = below_.weight + (has_missing_below ? missing_.weight : 0);
        return rows >= least_.rows && known_.rows + missing_.rows - rows >= least_.rows && weight >= least_.weight &&
               known_.weight + missing_.weight - weight >= least_.weight;
    }
    bool is_wanted(int next_class, char mark) {
        const std::int64_t place = count_++;
        last_ = key_;
        last_mark_ = mark;
        if (!drawn_) return place == 0 || only_class_ == MIXED || only_class_ != next_class;
        if (next_ == drawn_->size() || (*drawn_)[next_] != place) return false;
        ++next_;
        return true;
    }

    Least least_;
    RowSums known_, missing_, below_;
    const std::vector<std::int64_t>* drawn_;
    std::vector<char>& marks_;
    std::uint32_t key_ = 0, last_ = 0;
    char last_mark_ = 1;
    int only_class_ = MIXED;
    std::int64_t count_ = 0;
    std::size_t next_ = 0;
};

}  // namespace hornbeam
