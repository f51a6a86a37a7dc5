// The surrogates of a node: finds the questions about other columns that imitate its question, and assigns the rows
// whose value is missing by them.
#pragma once

#include "nodes/work.hpp"

namespace hornbeam {

// `right` of the node's block contains the branch of each row, 2 if the value is missing; it is set to the branch that
// the row takes. Stores the surrogates in `open`.
void follow_surrogates(Open& open, RowPartition& rows, const Work& work);

}  // namespace hornbeam
