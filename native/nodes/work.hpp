// Work: the input of a worker: the shared job, its scratch memory, and the threads that it may use.
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

// The read-only data of all workers of a growth.
struct Job {
    const Plan& plan;
    const std::vector<ReadyColumn>& columns;
    const Scoring& scoring;
    bool has_sparse = false;  // whether any column is sparse
    const RowTable& cells;    // for questions about several columns; empty if there are none
};

// Calls body(i, scratch) for all i < count on several threads.
using EachColumn = std::function<void(std::int64_t count, const std::function<void(std::int64_t, Scratch&)>& body)>;

struct Work {
    const Job& job;
    Scratch& scratch;
    EachColumn each = {};  // empty: one thread

    template <class Body>
    void each_column(std::size_t count, const Body& body) const {
        if (each) return each(static_cast<std::int64_t>(count), body);
        for (std::size_t i = 0; i < count; ++i) body(static_cast<std::int64_t>(i), scratch);
    }
};

// The partition of the rows of a node into branches.
struct RowPartition {
    std::vector<std::int32_t> starts;  // start of each branch, and of the rows that end here
    bool in_two = false;               // branches are in `right` of the block, else in `branch`
    std::int32_t missing_branch = -1;
    std::vector<std::int64_t> known;  // weight per branch of the rows that the question itself decides
};

}  // namespace hornbeam
