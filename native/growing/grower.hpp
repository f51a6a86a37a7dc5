// grow: grows one tree. Open nodes, whose best question is known, are queued; the next one is split, its rows are
// partitioned, and each child becomes a leaf with a reason, or is searched and queued.
//
// All threads work on a large node, one column each; small nodes are distributed as subtrees. Neither changes the tree:
// sums are integers, columns are compared in order, and nodes are numbered at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

Grown grow(const Plan& plan, Stop& stop);

}  // namespace hornbeam
