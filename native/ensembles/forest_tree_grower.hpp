// ForestTreeGrower: grows the trees of a forest, which use few candidate columns per node. No column is kept sorted:
// the rows of a node are a range of a row list with their targets, or a range sorted by class, or a bit set. The cells
// of a candidate column are gathered, sorted if its best cut is searched, and discarded.
//
// Growth is depth first, branch 0 first, so nodes are written in their final order. The tree is the same as that of the
// general grower. Supported are numeric and ordinal columns without missing values, Gini, entropy and squared error,
// and stopping rules that depend on one node.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/pool.hpp"
#include "ensembles/grid.hpp"
#include "ensembles/tree_records.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

// Reuses its memory for all trees.
class ForestTreeGrower {
  public:
    virtual ~ForestTreeGrower() = default;
    // `times[row]` is the multiplicity of a row in the sample; if it is empty, every row is used once. If a stop is
    // requested, the tree that is returned is incomplete. The tree is valid until the next call.
    virtual const TreeRecords& grow(const std::vector<std::uint32_t>& times, std::uint64_t tree, const Stop& stop) = 0;
};

// Whether a ForestTreeGrower supports a plan.
bool has_forest_grower(const Plan& plan);

std::unique_ptr<ForestTreeGrower> make_forest_tree_grower(const Plan& plan, const Grid& grid);

}  // namespace hornbeam
