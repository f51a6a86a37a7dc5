// Joint rounds of the loss softmax: one tree for all classes.
//
// The classes are divided at random into two groups of equal size, and the tree is grown
// on the logistic loss of the groups:
//
//     P = sum of p_k over the first group      g = w (P - [the row's class is in it])      h = w P (1 - P)
//
// Each leaf then has the value of every class, from the class's own g and h: the tree is stored once per class.
#pragma once

#include <cstdint>
#include <vector>

#include "boosting/gradients.hpp"

namespace hornbeam {

// Per class: 1 for the first group of a round. `classes` are the classes that have rows.
std::vector<std::uint8_t> class_group(const std::vector<std::int32_t>& classes, int n_classes, std::uint64_t seed,
                                      std::int64_t round);

// The pairs of the rows [begin, end); scores by class, `parts` from `prepare_softmax`.
void fill_group(const Rows& rows, const double* scores, const std::vector<std::uint8_t>& group, const Softmax& parts,
                const Units& units, std::int64_t begin, std::int64_t end, Pair* pairs);

}  // namespace hornbeam
