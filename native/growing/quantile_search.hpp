// Searches by criteria whose impurity is the distance from a quantile.
#pragma once

#include "growing/search.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

Candidate best_by_quantile(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);

// The best cut of a list whose first `known` entries have a value; the score is the decrease of the mean risk of the
// rows that count. `at` is twice the known rows below the cut, plus the branch of missing values that may take either.
template <class Entry>
Cut quantile_cut(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, const ListScan& scan,
                 Scratch& scratch);

// Fill a table of levels with target distributions per code, per piece (-1: none) or per branch; return whether there
// are two or more levels.
bool fill_code_distributions(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
bool fill_piece_distributions(const Scoring& s, const NodeView& node, const std::vector<std::int32_t>& piece_of_row,
                              std::int32_t n_pieces, Scratch& scratch);
bool fill_side_distributions(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch);

}  // namespace hornbeam
