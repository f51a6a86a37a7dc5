// A node whose rows are elsewhere: what they add up to, the question chosen for them, and what its branches add up to.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "growing/node.hpp"
#include "pieces/request.hpp"

namespace hornbeam {

// The sums per code of the columns of one node.
struct NodeCells {
    std::shared_ptr<const std::vector<std::int64_t>> start;  // of every column, -1 if it is not among them
    std::vector<std::int64_t> sums;

    const std::int64_t* of(std::int32_t column) const { return sums.data() + (*start)[column]; }
};

// A question that rows are routed by: the branch of every code and of missing values, -1 if it decides nothing.
struct RouteQuestion {
    std::int32_t column = -1;
    std::vector<std::int16_t> branch_of;
};

struct PieceNode {
    std::int32_t record = 0, depth = 0;
    std::uint64_t id = 1;
    std::size_t n_used = 0;  // columns that are not used again
    Totals totals;
    double impurity = 0.0;
    std::vector<std::int32_t> active;  // the columns that may still differ here
    std::shared_ptr<NodeCells> cells;

    // The split, once chosen.
    Candidate best;
    std::vector<RouteQuestion> questions;  // its own, then the surrogates
    std::int32_t missing_branch = -1;      // of rows that no question decides; -1: they stay
    std::vector<Totals> branches;          // of rows that the question decides, or that follow the missing branch
    std::int64_t undecided = 0;            // rows that only surrogates decide
    std::vector<KeptQuestion> surrogates, competitors;

    // Whether `branches` are all rows of the children, and these all rows of the node.
    bool is_whole() const {
        std::int64_t rows = 0;
        for (const Totals& branch : branches) rows += branch.rows;
        return rows == totals.rows;
    }
};

}  // namespace hornbeam
