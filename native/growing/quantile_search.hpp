// Searches where impurity is the distance from a quantile.
#pragma once

#include "growing/search.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

Candidate best_by_quantile(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);

// The best cut of a list of which the first `known` entries have a value; the score is the decrease of the mean over
// the rows that count. `at` is twice the known rows below the cut, plus the branch of missing values where they may go
// either way.
template <class Entry>
Cut quantile_cut(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, const ListScan& scan,
                 Scratch& scratch);

// The distributions of targets per code, per piece of a column (-1: none), or of both branches of the rows, as a table
// of levels; whether there are two or more.
bool fill_code_distributions(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
bool fill_piece_distributions(const Scoring& s, const NodeView& node, const std::vector<std::int32_t>& piece_of_row,
                              std::int32_t n_pieces, Scratch& scratch);
bool fill_side_distributions(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch);

}  // namespace hornbeam
