// The candidates of a node: which columns still vary, which of them are sampled, and the questions that came next.
#pragma once

#include <functional>

#include "nodes/work.hpp"

namespace hornbeam {

// Keeps the columns that still vary in `node`, with their spans; if columns are sampled, the others do not compete.
void keep_varying(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active,
                  const std::vector<Span>& spans, const Plan& plan);
// The candidates that several searches found about a column become neighbours, by the ranks of their kinds.
void join_seconds(std::vector<Candidate>& found);
// The questions about many columns join the candidates of a node; they are compared with the best one so far.
void search_many(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch);
// The questions about columns, scored by what the next question can make of them, join those of other searches; where
// these found none, they are the candidates.
void join_ahead(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active, const Job& job,
                Scratch& scratch);
void look_ahead(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch);
// Keeps the questions that came next after the chosen one: the same rule chooses again among the columns that are left.
void keep_competitors(Open& node, std::vector<Candidate>& found, int chosen, const Job& job,
                      const std::function<void(Candidate&)>& complete_one);
// Where a cut lies between the values on both sides.
double threshold_of(const Candidate& cut, const Job& job);

}  // namespace hornbeam
