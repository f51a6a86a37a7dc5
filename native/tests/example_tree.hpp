// The arrays of a small tree, for tests of what reads trees.
#pragma once

#include <vector>

#include "walking/walk.hpp"

namespace hornbeam::tests {

struct ExampleTree {
    std::vector<std::int32_t> first_child, n_branches, question, missing_branch;
    std::vector<double> weight;
    std::vector<std::int64_t> surrogate_start;
    std::vector<std::int8_t> encoding;
    std::vector<std::int32_t> column, first, missing_answer;
    std::vector<std::int64_t> whole_start, reals_start;
    std::vector<std::int32_t> whole;
    std::vector<double> reals;
    std::vector<std::int32_t> n_levels;
    Unseen unseen = Unseen::majority;

    TreeArrays arrays() const {
        TreeArrays tree;
        tree.first_child = first_child;
        tree.n_branches = n_branches;
        tree.question = question;
        tree.missing_branch = missing_branch;
        tree.weight = weight;
        tree.surrogate_start = surrogate_start;
        tree.encoding = encoding;
        tree.column = column;
        tree.first = first;
        tree.missing_answer = missing_answer;
        tree.whole_start = whole_start;
        tree.reals_start = reals_start;
        tree.whole = whole;
        tree.reals = reals;
        tree.n_levels = n_levels;
        tree.unseen = unseen;
        return tree;
    }
};

}  // namespace hornbeam::tests
