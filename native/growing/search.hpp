// The best question about one column at one node.
#pragma once

#include "nodes/block.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {

// By the searches of the plan; `span` has the node's entries of a sparse column.
Candidate best_question(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
// Whether known values of a column differ at a node.
bool values_differ(const Scoring& s, const NodeView& node, std::int32_t column);
// How many cuts of a column the least sizes allow.
std::int64_t count_cuts(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
// What only the chosen question needs: the values on both sides of a cut, which are far away in memory, the branch of
// every level, and the decrease in impurity where the score is something else.
void complete(const Scoring& s, const NodeView& node, Candidate& best);

// A column kept as codes: the rows of every code are summed, then codes are separated by a cut or grouped.
Candidate best_coded(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
void count_codes(const Scoring& s, const NodeView& node, std::int32_t column, Span span, CodeTable& table);

// From the sums per code in `scratch.codes`, wherever the rows are that were added up; empties them. The block of the
// node has no rows, and weights if rows have.
Candidate best_in_table(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
void complete_in_table(const Scoring& s, const Totals& totals, const CodeTable& table, Candidate& best);
// The branch of every code of a grouping.
void list_branches(const Scoring& s, Candidate& best);
// The ratio by which candidates are compared, and the decrease in impurity of the branches with these counts of
// classes, if there are any.
void set_gain(const Scoring& s, const std::vector<std::int64_t>& counts, const Totals& totals, Candidate& best);

// A column kept as a sorted list.
Candidate best_listed(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
struct ListScan {
    const Totals& totals;  // of the entries
    double unknown;        // the weight of missing values
    double tolerance;
    std::int32_t column;  // -1: the list is of no column
};
// The best cut of the first n entries of a list; the score is a gain.
template <class Entry>
Cut best_cut_of_list(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t n, const ListScan& scan,
                     Scratch& scratch);

// The sums over the missing values of a list, whose first `known` entries have values.
template <class Entry>
void set_listed_holes(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, Scratch& scratch);

// Cuts with missing values on either side, of a list whose first `known` entries have values, and of codes.
template <class Entry>
void best_both_in_list(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, Scratch& scratch,
                       Candidate& out);
void best_both_of_codes(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out);

}  // namespace hornbeam
