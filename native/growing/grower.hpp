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

// The columns of a table made ready once, for many growths on the same rows: only read, so shared by any number of
// them.
class Prepared {
  public:
    Prepared(const Plan& plan, Stop& stop);
    // Whether a plan asks for its columns as they were made ready.
    bool suits(const Plan& plan) const;
    // A copy for one growth, which takes its columns apart.
    std::vector<ReadyColumn> copied() const;

  private:
    std::int64_t n_rows_;
    bool cut_at_data_, random_cuts_, is_drawn_, has_quantile_;
    std::vector<ReadyColumn> columns_;
};

// `prepared` may be null, or must suit the plan.
Grown grow(const Plan& plan, Stop& stop, const Prepared* prepared = nullptr);

}  // namespace hornbeam
