// What of a grown tree need not be handed over?  What follows from the rest: node_arrays.py makes it when asked for.
// And what takes fewer bytes in another form: packed.py gives it back in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "nodes/plan.hpp"

namespace hornbeam {

// Empties the arrays that say nothing new. Parents and depths follow in every tree, branches where all have two, the
// branch of missing values where it is the heavier one, the weight where the statistics add up to it, the answer where
// it is the first of the heaviest classes, the impurity where it is the mean squared distance of numbers, the score
// where it is the gain, questions where they stand in the order of nodes; of questions that are all thresholds only
// columns and cuts say something.
//
// Of a tree that is not small, statistics of classes and rows that are whole numbers go into the narrowest type that
// holds them; gain and impurity keep the inner nodes alone where the leaves have 0.
void leave_out(Grown& grown, bool is_class);

// Whether a tree with so many numbers of statistics is not small.
bool is_worth_packing(std::size_t n_stats);

// Whole numbers get(0), get(1), ... in the narrowest type that holds the largest of them.
template <class Get>
WholeNumbers narrowed(std::size_t n, std::int64_t largest, const Get& get) {
    const auto as = [&]<class To>(To) -> WholeNumbers {
        std::vector<To> out(n);
        for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<To>(get(i));
        return out;
    };
    if (largest <= std::numeric_limits<std::uint8_t>::max()) return as(std::uint8_t{});
    if (largest <= std::numeric_limits<std::uint16_t>::max()) return as(std::uint16_t{});
    return as(std::uint32_t{});
}

}  // namespace hornbeam
