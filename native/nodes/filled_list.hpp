// The value that replaces missing ones at a node, and a column's list with it; the reference implementation is
// parts/missing/fill.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/weight_limits.hpp"
#include "searches/cut_kernels.hpp"

namespace hornbeam {

// The lower median or the mode of values that come in ascending order with their weights, whose sum is known before.
class UsualValue {
  public:
    UsualValue(bool is_mode, std::int64_t total) : is_mode_(is_mode), total_(total) {}
    void add(std::int64_t place, std::int64_t weight) {
        below_ += weight;
        if (is_mode_ && weight > held_) held_ = weight, place_ = place;
        if (!is_mode_ && place_ < 0 && reaches_half(below_, total_)) place_ = place;
    }
    std::int64_t place() const { return place_; }  // of the value, as it was given

  private:
    bool is_mode_;
    std::int64_t total_, below_ = 0, held_ = 0, place_ = -1;
};

// A column's sorted list at a node, its missing rows among the others where the value that stands in for them lies.
struct Filled {
    double value = 0.0;                 // that stands in
    std::int32_t holes = 0, place = 0;  // how many rows it stands in for, and the first of them in the list
    std::vector<std::uint64_t> list;    // rank << 32 | row
    std::vector<double> values;         // of every rank, where they are asked for

    // Of a cut with so many rows of the list below it: how many of them have a value, and the branch of the others.
    std::int32_t known_below(std::int32_t below) const { return below > place ? below - holes : below; }
    std::int32_t branch(std::int32_t below) const { return below <= place; }

    // `known` of the `n` entries have a value, which `value_of` tells.
    template <class Entry, class ValueOf>
    void fill(const Entry* from, std::int32_t known, std::int32_t n, const ValueOf& value_of, bool keeps_values) {
        const auto is_below = [&](Entry entry) { return value_of(entry) <= value; };
        place = static_cast<std::int32_t>(std::partition_point(from, from + known, is_below) - from);
        holes = n - known;
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
        take(0, place, 0);
        const bool is_new = place == 0 || value_of(from[place - 1]) < value;
        if (is_new && keeps_values) values.push_back(value);
        rank += is_new && place > 0;
        for (std::int32_t i = known; i < n; ++i) list[i - known + place] = rank << 32 | row_of(from[i]);
        ++rank;
        take(place, known, holes);
    }
};

}  // namespace hornbeam
