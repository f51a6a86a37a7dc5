// How does one tree of a forest grow, when at every node only a few columns are drawn?  Nothing is kept sorted: the
// rows of a node are one range of a row list with their targets beside them, or in the order of their classes, or few
// enough to be a set; a drawn column is looked up, put in order where its best cut is sought, and forgotten.
//
// Depth first, branch 0 first, so nodes are written in their final order. The result is that of the general grower; it
// serves numbers and ordinal levels without gaps, Gini, entropy and squared error, and stops that look at one node.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/pool.hpp"
#include "ensembles/grid.hpp"
#include "ensembles/lean_tree.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

// Grows one tree after another in the same memory.
class LeanGrower {
  public:
    virtual ~LeanGrower() = default;
    // `times[row]` is how often a row counts; rows of 0 are not seen; where it is empty every row counts once. Returns
    // early, unfinished, when a stop is asked. The tree stays until the next one is grown.
    virtual const LeanTree& grow(const std::vector<std::uint32_t>& times, std::uint64_t tree, const Stop& stop) = 0;
};

// Whether a plan is for the lean grower.
bool is_lean(const Plan& plan);

std::unique_ptr<LeanGrower> make_lean(const Plan& plan, const Grid& grid);

}  // namespace hornbeam
