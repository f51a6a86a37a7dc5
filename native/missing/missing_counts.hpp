// The effect of missing values on the scores of questions about a column.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// Sets the sums over the rows of a node whose value is missing: from the rows, from the column, or from their cell.
void set_missing(const Scoring& s, const NodeView& node, const std::vector<std::uint32_t>& rows, MissingStats& missing);
void set_missing(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
void set_missing(const Scoring& s, const std::int64_t* cell, std::int64_t rows, MissingStats& missing);
// The statistics of the criterion of missing values, followed by those of all other rows of the node.
std::vector<double> missing_and_others(const Scoring& s, const MissingStats& missing, const Totals& totals);
// Whether missing values have their own branch: the mode is `branch`, and their number and weight are large enough.
bool has_own_branch(const Scoring& s, const MissingStats& missing);
// Whether they count in the scores of a column: in the best branch or in their own.
inline bool counts_missing(const Scoring& s, const MissingStats& missing) {
    return missing.rows > 0 && (s.plan.missing.mode == MissingMode::either || has_own_branch(s, missing));
}
// Whether the scores of cuts include the branch of missing values (its decrease cannot be added); sets its statistics.
bool scores_own_branch(const Scoring& s, MissingStats& missing);
// Adds the statistics of missing values that count to the table of levels, for either branch or for their own.
void add_missing_to_levels(const Scoring& s, const Totals& totals, Scratch& scratch);
// A column with one bin or value at a node varies if some values are missing; if all searches read bins, only if these
// count (BinnedCuts.varies).
void vary_by_missing(const Scoring& s, const Totals& totals, const MissingStats& missing, Candidate& out);
// Adds the branch of missing values to the best questions about a column, and replaces them by "is missing" unless one
// of them is better.
void consider_missing(const Scoring& s, const Totals& totals, double impurity, const MissingStats& missing,
                      Candidate& out);

}  // namespace hornbeam
