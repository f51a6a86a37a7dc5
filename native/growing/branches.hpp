// The branch of every row of a node, by the node's question.
#pragma once

#include "nodes/work.hpp"

namespace hornbeam {

// Writes `right` or `branch` of the node's block, as `out.in_two` requires, and the rest of `out` but the starts.
void mark_branches(const Open& open, RowPartition& out, Work& work);

}  // namespace hornbeam
