// The best grouping of the levels of a column at a node, by the search of the plan.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// Fills the table of levels with statistics of the criterion, from the sums per code in `scratch.codes`; the code
// `n_codes` means missing.
void fill_levels(const Scoring& s, const Totals& totals, std::uint32_t n_codes, Scratch& scratch);
// Sets `out` to the best grouping of the levels of a table; leaves its type if none is admissible.
void score_groups(const Scoring& s, const LevelTable& table, const Totals& totals, double impurity, Candidate& out);
// The split information of a grouping, including missing values that it assigns to a branch.
double grouping_information(const LevelTable& table, const std::vector<std::int32_t>& branch, const Candidate& split);

}  // namespace hornbeam
