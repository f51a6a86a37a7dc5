// drop_derived: drops the arrays of a tree that follow from others (computed on request by node_arrays.py), and packs
// others into fewer bytes (unpacked by packed.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "nodes/plan.hpp"

namespace hornbeam {

// Empties the arrays that follow from others: parents and depths always; numbers of branches if all are two; the branch
// of missing values if it is the majority branch; the weight if it is the sum of the statistics; the prediction if it
// is the first class of largest weight; the impurity if it is the variance; the score if it equals the gain; questions
// if they are in the order of nodes; if all questions are thresholds, everything except columns and cuts.
//
// In larger trees, class weights and row counts that are integers are stored in the narrowest type, and gain and
// impurity only of inner nodes if they are 0 at leaves.
void drop_derived(Grown& grown, bool is_class);

// Whether statistics of this many values are packed.
bool is_worth_packing(std::size_t n_stats);

// Integers get(0), get(1), ... in the narrowest type that can store the largest.
template <class Get>
NarrowIntegers narrowed(std::size_t n, std::int64_t largest, const Get& get) {
    const auto as = [&]<class To>(To) -> NarrowIntegers {
        std::vector<To> out(n);
        for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<To>(get(i));
        return out;
    };
    if (largest <= std::numeric_limits<std::uint8_t>::max()) return as(std::uint8_t{});
    if (largest <= std::numeric_limits<std::uint16_t>::max()) return as(std::uint16_t{});
    return as(std::uint32_t{});
}

}  // namespace hornbeam
