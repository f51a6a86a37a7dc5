// assembled: combines the fragments of a tree. Nodes are numbered as if one thread had grown the tree depth first: the
// children of a node get the next indices when the node is expanded; branch 0 is expanded first.
#pragma once

#include <vector>

#include "nodes/node.hpp"

namespace hornbeam {

Grown assembled(const Plan& plan, const std::vector<Fragment>& fragments, const std::vector<ReadyColumn>& columns);

}  // namespace hornbeam
