// The surrogates of a node: the questions about other columns that send rows as its own question does, and the branches
// of the rows whose value is missing by them.
#pragma once

#include "nodes/work.hpp"

namespace hornbeam {

// `right` of the node's block has the branch of every row, 2 where the value is missing; afterwards it has the branch
// that the row takes. Keeps the surrogates in `open`.
void follow_surrogates(Open& open, RowPartition& rows, const Work& work);

}  // namespace hornbeam
