// Searches where impurity is the distance from a quantile.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

Candidate best_by_quantile(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);

// The distributions of targets per code, or of both branches of the rows, as a table of levels; whether there are two
// or more.
bool fill_code_distributions(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
bool fill_side_distributions(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch);

}  // namespace hornbeam
