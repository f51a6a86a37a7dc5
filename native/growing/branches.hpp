// The branches of the rows of a node by its question.
#pragma once

#include "nodes/work.hpp"

namespace hornbeam {

// Writes `right` or `branch` of the node's block, depending on `out.in_two`, and all of `out` except the starts.
void mark_branches(const Open& open, RowPartition& out, Work& work);

}  // namespace hornbeam
