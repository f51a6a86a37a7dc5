// CutMarks: marks the cuts of a column to try, if not all are. Groups of equal values are added in ascending order;
// each cut between two of them with the minimum size of branches is counted, and marked if it is
//
//   sampled    one of the indices sampled for this column, ascending
//   boundary   between groups that are not of the same single class, or the first or last one counted
//
// If missing values may take either branch, a cut is two candidates: first with them on the side of larger known weight
// (below on ties). Both are counted and marked separately.
#pragma once

#include <cstdint>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// A number of rows and their weight.
struct RowSums {
    std::int64_t rows = 0, weight = 0;
};

class CutMarks {
  public:
    static constexpr int MIXED = -1;
    // `marks` is written at the key of the group below each cut: bit 0, or a bit per side of missing values. If
    // `sampled` is null, boundaries are marked.
    CutMarks(const MinSize& min_size, const RowSums& known, const RowSums& missing,
             const std::vector<std::int64_t>* sampled, std::vector<char>& marks)
        : min_size_(min_size), known_(known), missing_(missing), sampled_(sampled), marks_(marks) {}

    // Adds the next group; `only_class` is its class if it has only one, else MIXED.
    void add(std::uint32_t key, std::int64_t rows, std::int64_t weight, int only_class) {
        if (below_.rows > 0) mark(only_class);
        key_ = key;
        only_class_ = only_class;
        below_.rows += rows;
        below_.weight += weight;
    }
    // Returns the number of cuts counted.
    std::int64_t finish() {
        if (!sampled_ && count_ > 0) marks_[last_] |= last_mark_;
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
        return rows >= min_size_.rows && known_.rows + missing_.rows - rows >= min_size_.rows &&
               weight >= min_size_.weight && known_.weight + missing_.weight - weight >= min_size_.weight;
    }
    bool is_wanted(int next_class, char mark) {
        const std::int64_t index = count_++;
        last_ = key_;
        last_mark_ = mark;
        if (!sampled_) return index == 0 || only_class_ == MIXED || only_class_ != next_class;
        if (next_ == sampled_->size() || (*sampled_)[next_] != index) return false;
        ++next_;
        return true;
    }

    MinSize min_size_;
    RowSums known_, missing_, below_;
    const std::vector<std::int64_t>* sampled_;
    std::vector<char>& marks_;
    std::uint32_t key_ = 0, last_ = 0;
    char last_mark_ = 1;
    int only_class_ = MIXED;
    std::int64_t count_ = 0;
    std::size_t next_ = 0;
};

}  // namespace hornbeam
