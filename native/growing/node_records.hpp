// Nodes as they are recorded in a fragment of the tree.
#pragma once

#include "nodes/work.hpp"

namespace hornbeam {

// The statistics of a node.
void record_node(Fragment& fragment, const Open& node);
// Its question and its children, which begin at `first`.
void record_split(Fragment& fragment, const Open& node, const RowPartition& rows, std::int32_t first, const Job& job);

}  // namespace hornbeam
