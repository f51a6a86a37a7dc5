// How does a tree grow?  A queue of open nodes, each with its best question already found; the next one is split, its
// rows are partitioned, and each child is either a leaf, with the reason why, or searched and queued.
//
// Large nodes are worked on by all threads at once, a column each; when nodes have become small, whole subtrees are
// handed out. Neither changes the tree: sums are integers, columns are compared in their order, and nodes are numbered
// at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

Grown grow(const Plan& plan, Stop& stop);

}  // namespace hornbeam
