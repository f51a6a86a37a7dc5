// Grows many trees in parallel, one thread per tree, each on its own sample of rows. Samples are keyed by the index of
// the tree, so any number of threads gives the same trees.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/pool.hpp"
#include "ensembles/row_sampling.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

struct ForestTask {
    RowSampling sampling;
    std::int64_t first = 0;  // index of the first tree
    std::int64_t n_trees = 1;
};

// Returns the trees in order, without the arrays that can be derived from others (growing/drop_derived.hpp). `done`
// counts the finished trees.
std::vector<Grown> grow_forest(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done);

}  // namespace hornbeam
