// What one worker of a growth works with: the job that all share, its own memory, and the threads that help it.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "nodes/block.hpp"
#include "nodes/plan.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

struct Scoring;

// What all workers of one growth share, and only read.
struct Job {
    const Plan& plan;
    const std::vector<ReadyColumn>& columns;
    const Scoring& scoring;
    bool has_sparse = false;  // whether any column is sparse
    const RowTable& cells;    // of questions about many columns; empty when there are none
};

// Runs body(i, scratch) for every i below count on several threads.
using EachColumn = std::function<void(std::int64_t count, const std::function<void(std::int64_t, Scratch&)>& body)>;

struct Work {
    const Job& job;
    Scratch& scratch;
    EachColumn each = {};  // empty: the worker has no help

    template <class Body>
    void each_column(std::size_t count, const Body& body) const {
        if (each) return each(static_cast<std::int64_t>(count), body);
        for (std::size_t i = 0; i < count; ++i) body(static_cast<std::int64_t>(i), scratch);
    }
};

// The branches of a node's rows.
struct RowPartition {
    std::vector<std::int32_t> starts;  // the first place of every branch, and of the rows that end here
    bool in_two = false;               // `right` of the block has the branches, else `branch` has
    std::int32_t missing_branch = -1;
    std::vector<std::int64_t> known;  // the weight of the rows that each branch has by the question itself
};

}  // namespace hornbeam
