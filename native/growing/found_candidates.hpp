// The candidates of a node: columns that vary or are sampled, further searches, competitors.
#pragma once

#include <functional>

#include "nodes/work.hpp"

namespace hornbeam {

// Stores the varying columns in `node`, with their spans; if columns are sampled, excludes the others.
void keep_varying(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active,
                  const std::vector<Span>& spans, const Plan& plan);
// Moves candidates of further searches of a column next to the first, ordered by the ranks of their kinds.
void add_seconds(std::vector<Candidate>& found);
// Adds the best questions about several columns to the candidates of a node.
void search_many(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch);
// Lookahead: adds the best questions about the active columns by two levels to the candidates of other searches; or, if
// these found none, replaces the candidates.
void add_lookahead(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active, const Job& job,
                   Scratch& scratch);
void search_lookahead(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch);
// Stores the next best candidates after the chosen one, selected by the same rule.
void keep_competitors(Open& node, std::vector<Candidate>& found, int chosen, const Job& job,
                      const std::function<void(Candidate&)>& complete_one);
// The cut between the values on both sides.
double threshold_of(const Candidate& cut, const Job& job);

}  // namespace hornbeam
