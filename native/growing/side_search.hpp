// Binary questions given as the branch of each row: those of the user, and "is missing".
#pragma once

#include <optional>

#include "nodes/source.hpp"

namespace hornbeam {

// Moves the sums of codes 0 and 1 in `scratch.codes` (2: missing) to levels in `scratch.levels`.
void fill_two_levels(const Scoring& s, const Totals& totals, Scratch& scratch);
// Stores the branches of the rows (-1: undefined) as two levels in `scratch.levels`; returns whether both have rows.
bool fill_branches(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch);
// Their score, as a candidate without type and column; none if a branch is smaller than `min_size`.
std::optional<Candidate> score_sides(const Scoring& s, const NodeView& node, const RowSides& sides,
                                     const MinSize& min_size, Scratch& scratch);
// The best question of the user's list whose columns all compete.
std::optional<Candidate> best_listed_question(const Job& job, const Open& node,
                                              const std::vector<std::int32_t>& competing, Scratch& scratch);
// Sets the question of the user for a node as its best one; false if it does not separate the rows.
bool use_first_question(const Job& job, Open& node, Scratch& scratch);
// Adds "is missing" to the candidates of each active column.
void search_missing(Family& family, Work& work);

}  // namespace hornbeam
