// How the missing values of a column count in the scores of its questions.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// The sums over the rows whose value is missing: from the rows, or from their cell.
void set_holes(const Scoring& s, const AnyBlock& block, const std::vector<std::uint32_t>& rows, Holes& holes);
void set_holes(const Scoring& s, const std::int64_t* cell, std::int64_t rows, Holes& holes);
// The same from the rows of a node, where they count in scores.
void set_missing_rows(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
// The statistics of missing values, then those of all other rows of the node.
void set_side(const Scoring& s, const Holes& holes, double* stats, const Totals& totals);
// Whether missing values are enough for a branch of their own.
bool are_own_branch(const Scoring& s, const Holes& holes);
// Whether cuts are scored with the branch of missing values: where the score is no sum of two. Sets their statistics
// then.
bool are_scored_apart(const Scoring& s, Holes& holes);
// Levels are grouped with missing values on either side, or beside them: adds their statistics to the table.
void add_holes_to_levels(const Scoring& s, const Totals& totals, Scratch& scratch);
// "Is it missing?" competes with the best question about a column.
void consider_missing(const Scoring& s, const Totals& totals, double impurity, const Holes& holes, Candidate& out);

}  // namespace hornbeam
