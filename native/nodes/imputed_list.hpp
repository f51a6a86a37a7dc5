// MedianOrMode and ImputedList: the imputed value of a column at a node, and the sorted list with missing values
// replaced by it; the reference implementation is parts/missing/impute.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/weight_limits.hpp"
#include "searches/cut_kernels.hpp"

namespace hornbeam {

// The lower median or the mode of values added in ascending order with their weights, whose sum is `total`.
class MedianOrMode {
  public:
    MedianOrMode(bool is_mode, std::int64_t total) : is_mode_(is_mode), total_(total) {}
    void add(std::int64_t index, std::int64_t weight) {
        below_ += weight;
        if (is_mode_ && weight > largest_) largest_ = weight, index_ = index;
        if (!is_mode_ && index_ < 0 && reaches_half(below_, total_)) index_ = index;
    }
    std::int64_t index() const { return index_; }  // of the value, as passed to add()

  private:
    bool is_mode_;
    std::int64_t total_, below_ = 0, largest_ = 0, index_ = -1;
};

// The sorted list of a column at a node, with the rows of missing values inserted at the imputed value.
struct ImputedList {
    double value = 0.0;                     // the imputed value
    std::int32_t n_missing = 0, index = 0;  // the number of rows with it, and the index of the first in the list
    std::vector<std::uint64_t> list;        // rank << 32 | row
    std::vector<double> values;             // of each rank, if requested

    // For a cut with `below` rows of the list below it: how many of them have a value; the branch of missing values.
    std::int32_t known_below(std::int32_t below) const { return below > index ? below - n_missing : below; }
    std::int32_t branch(std::int32_t below) const { return below <= index; }

    // `known` of the `n` entries have a value, returned by `value_of`.
    template <class Entry, class ValueOf>
    void fill(const Entry* from, std::int32_t known, std::int32_t n, const ValueOf& value_of, bool keeps_values) {
        const auto is_below = [&](Entry entry) { return value_of(entry) <= value; };
        index = static_cast<std::int32_t>(std::partition_point(from, from + known, is_below) - from);
        n_missing = n - known;
        list.resize(n);
        values.clear();
        std::uint64_t rank = 0;
        const auto take = [&](std::int32_t begin, std::int32_t end, std::int32_t to) {
            for (std::int32_t i = begin; i < end; ++i) {
                const bool is_new = i == begin || rank_of(from[i]) != rank_of(from[i - 1]);
                if (is_new && keeps_values) values.push_back(value_of(from[i]));
                rank += is_new && i > begin;
                list[i + to] = rank << 32 | row_of(from[i]);
            }
        };
        take(0, index, 0);
        const bool is_new = index == 0 || value_of(from[index - 1]) < value;
        if (is_new && keeps_values) values.push_back(value);
        rank += is_new && index > 0;
        for (std::int32_t i = known; i < n; ++i) list[i - known + index] = rank << 32 | row_of(from[i]);
        ++rank;
        take(index, known, n_missing);
    }
};

}  // namespace hornbeam
