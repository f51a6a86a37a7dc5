// The best question about one column at one node.
#pragma once

#include "nodes/block.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {

// By the searches of the plan; `span` are the entries of the node in a sparse column.
Candidate best_question(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
// The same without "is missing".
Candidate best_by_value(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
// The number of cuts of a column with the minimum size of branches.
std::int64_t count_cuts(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
// Computes what only the chosen question needs: the values on both sides of a cut, the branch of each level, and the
// decrease of impurity if the score is another measure.
void complete(const Scoring& s, const NodeView& node, Candidate& best);

// For columns stored as codes: sums the rows per code, then searches a cut between codes or a grouping.
Candidate best_coded(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);
void count_codes(const Scoring& s, const NodeView& node, std::int32_t column, Span span, CodeTable& table);

// The same from the sums per code in `scratch.codes`, which are cleared. The block of the node has no rows; it has
// weights if rows are weighted.
Candidate best_in_table(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
void complete_in_table(const Scoring& s, const Totals& totals, const CodeTable& table, Candidate& best);
// Sets the branch of each code of a grouping.
void list_branches(const Scoring& s, Candidate& best);
// Sets the gain ratio, if it is compared, and the decrease of impurity from class counts of the branches, if any.
void set_gain(const Scoring& s, const std::vector<std::int64_t>& counts, const Totals& totals, Candidate& best);

// For columns stored as sorted lists.
Candidate best_listed(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
struct ListScan {
    const Totals& totals;  // of the entries
    double unknown;        // the weight of missing values
    double tolerance;
    std::int32_t column;             // -1: not of a column; cuts of gain 0 are admissible
    const double* values = nullptr;  // per rank; null: those of the column
};
// The best cut of the first n entries of a list; the score is a gain.
template <class Entry>
Cut best_cut_of_list(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t n, const ListScan& scan,
                     Scratch& scratch);

// Sets the sums of missing values of a list whose first `known` entries have values.
template <class Entry>
void set_listed_missing(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known,
                        Scratch& scratch);

// The best cut with missing values in either branch, of a list whose first `known` entries have values, or of codes.
template <class Entry>
void best_either_in_list(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known,
                         Scratch& scratch, Candidate& out);
void best_either_of_codes(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out);

}  // namespace hornbeam
