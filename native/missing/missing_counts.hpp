// How the missing values of a column count in the scores of its questions.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// The sums over the rows of a node whose value is missing: from these rows, from the column, or from their cell.
void set_holes(const Scoring& s, const NodeView& node, const std::vector<std::uint32_t>& rows, Holes& holes);
void set_holes(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
void set_holes(const Scoring& s, const std::int64_t* cell, std::int64_t rows, Holes& holes);
// The statistics of missing values, then those of all other rows of the node, as the criterion reads them.
std::vector<double> missing_and_others(const Scoring& s, const Holes& holes, const Totals& totals);
// Whether missing values are enough for a branch of their own.
bool are_own_branch(const Scoring& s, const Holes& holes);
// Whether they count in the scores of a column: in the best branch, or in their own.
inline bool counts_holes(const Scoring& s, const Holes& holes) {
    return holes.rows > 0 && (s.plan.missing.counted == HoleRule::either || are_own_branch(s, holes));
}
// Whether cuts are scored with the branch of missing values: where the score is no sum of two. Sets their statistics
// then.
bool are_scored_apart(const Scoring& s, Holes& holes);
// Levels are grouped with missing values on either side, or beside them: adds their statistics to the table.
void add_holes_to_levels(const Scoring& s, const Totals& totals, Scratch& scratch);
// A column of one bin or value at a node varies if some values are missing; where a search reads bins alone, only if
// they count (BinnedCuts.varies).
void vary_by_missing(const Scoring& s, const Totals& totals, const Holes& holes, Candidate& out);
// "Is it missing?" competes with the best questions about a column, which have the branch of missing values from then
// on: it replaces them unless one of them is better.
void consider_missing(const Scoring& s, const Totals& totals, double impurity, const Holes& holes, Candidate& out);

}  // namespace hornbeam
