// How do many trees grow at once?  Each on rows drawn for it, one thread a tree. Draws are keyed by the tree's number,
// so any number of threads gives the same trees.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/pool.hpp"
#include "ensembles/draws.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

struct ForestTask {
    Draw draw;
    std::int64_t first = 0;  // the number of the first tree
    std::int64_t n_trees = 1;
};

// The trees in order, without the arrays that follow from others (growing/leave_out.hpp). `done` counts finished trees.
std::vector<Grown> grow_forest(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done);

}  // namespace hornbeam
