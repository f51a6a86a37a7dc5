// Questions of two branches that give every row its branch: those of the user, and whether a value is missing.
#pragma once

#include <optional>

#include "nodes/source.hpp"

namespace hornbeam {

// The sums of the codes 0 and 1 in `scratch.codes`, 2 standing for missing, as levels in `scratch.levels`; they are
// emptied.
void fill_two_levels(const Scoring& s, const Totals& totals, Scratch& scratch);
// The branches of the node's rows (-1: unknown) as two levels in `scratch.levels`; whether both have rows.
bool fill_branches(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch);
// Their score, as a question of no type and column; none if a branch has less than `least`.
std::optional<Candidate> score_sides(const Scoring& s, const NodeView& node, const RowSides& sides, const Least& least,
                                     Scratch& scratch);
// The best question of the user's list whose columns all compete.
std::optional<Candidate> best_listed_question(const Job& job, const Open& node,
                                              const std::vector<std::int32_t>& competing, Scratch& scratch);
// The question of the user for a node as its best one; false if it does not separate the rows.
bool use_first_question(const Job& job, Open& node, Scratch& scratch);
// Whether a value is missing is tested for every active column, beside its other questions.
void search_missing(Family& family, Work& work);

}  // namespace hornbeam
