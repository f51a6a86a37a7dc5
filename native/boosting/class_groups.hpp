// Joint rounds of the loss softmax: one tree for all classes.
//
// The classes are divided at random into two groups of equal size, and the tree is grown on the logistic loss of the
// groups:
//
//     P = sum of p_k over the first group      g = w (P - [the row's class is in it])      h = w P (1 - P)
//
// Each leaf then has the value of every class, from the class's own g and h: the tree is stored once per class.
#pragma once

#include <cstdint>
#include <vector>

#include "boosting/tree_decisions.hpp"

namespace hornbeam {

struct JointTrees {
    std::vector<std::int32_t> classes;  // classes that have rows; empty: no joint rounds
    std::int64_t period = 1;            // the first of this many rounds is not joint
    Regularization regular;

    bool is_joint(std::int64_t round) const { return !classes.empty() && round % period != 0; }
    // Per class: 1 for the first group of a round.
    std::vector<std::uint8_t> group(int n_classes, std::uint64_t seed, std::int64_t round) const;
};

// Computes the values and gains of a grown tree for other gradients; `sums` of its leaves must be set. Gains are at
// least 0 and do not include gamma.
void refit(GradientTree& tree, const GradientSearch& search, const Regularization& regular);

}  // namespace hornbeam
