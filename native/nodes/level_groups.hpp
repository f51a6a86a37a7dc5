// The best grouping of the levels of a column at a node, by the search that the plan names.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// The table of levels in the criterion's statistics, from the sums per code in `scratch.codes`; the code `n_codes`
// means missing.
void fill_levels(const Scoring& s, const Totals& totals, std::uint32_t n_codes, Scratch& scratch);
// Sets the grouping of the levels in a table as a candidate about `out.column`; none if there is no admissible one.
void judge_groups(const Scoring& s, const LevelTable& table, const Totals& totals, double impurity, Candidate& out);
// The split information of a grouping, with the missing values that it sends to a branch.
double grouping_information(const LevelTable& table, const std::vector<std::int32_t>& branch, const Candidate& split);

}  // namespace hornbeam
