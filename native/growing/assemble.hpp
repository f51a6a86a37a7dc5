// How do the fragments become one tree?  Nodes are numbered as if the tree had been grown by one thread, depth first:
// the children of a node get the next numbers when the node is expanded, branch 0 is expanded first.
#pragma once

#include <vector>

#include "nodes/node.hpp"

namespace hornbeam {

Grown assembled(const Plan& plan, const std::vector<Fragment>& fragments, const std::vector<ReadyColumn>& columns);

}  // namespace hornbeam
