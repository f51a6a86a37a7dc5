// The records of nodes in a fragment, and the decisions about nodes that rows in memory and in pieces have in common.
#pragma once

#include "core/random.hpp"
#include "nodes/scoring.hpp"
#include "nodes/work.hpp"

namespace hornbeam {

// The reason why a node becomes a leaf before its search, or `none`. `n_columns` is the number of active columns;
// `alike` returns whether all rows of the node have the same values.
template <class Alike>
Reason early_reason(const Job& job, const Open& node, std::size_t n_columns, const Alike& alike) {
    const Plan& plan = job.plan;
    const Totals& totals = node.totals;
    const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
    const Reason reason = plan.stops.early(
        {totals.rows, weight, node.depth, job.scoring.is_pure(totals)},
        [&] { return job.scoring.largest_fraction(totals); }, alike);
    if (reason != Reason::none || n_columns > 0 || !plan.given.list.empty()) return reason;
    return node.n_done == plan.columns.size() ? Reason::no_attributes : Reason::no_improvement;
}
// The reason why a node with a known best question becomes a leaf, or `none`. A gain that is rounding becomes 0.
Reason late_reason(const Job& job, Open& node);

// Computes the impurity of a node and records its statistics.
void record_node(Fragment& fragment, Open& node, const Scoring& scoring);
// Records the question of a node with the branch of missing values, and empty children; returns the first child.
std::int32_t record_split(Fragment& fragment, const Open& node, std::int32_t missing_branch, const Job& job);

// Whether the column of a split is used again below: a column split into all levels may be used once per path.
struct ColumnUse {
    bool is_once;  // the search of levels does not use the column again
    bool is_done;  // nor does any other search
};
ColumnUse use_of_column(const Job& job, const Candidate& best);

// The children of a node, without their rows; their records begin at `first`.
template <class Node>
std::vector<Node> children_from(std::int32_t first, const Node& node, const ColumnUse& use) {
    std::vector<Node> children(node.best.n_branches);
    for (std::size_t b = 0; b < children.size(); ++b) {
        children[b].record = first + static_cast<std::int32_t>(b);
        children[b].depth = node.depth + 1;
        children[b].id = child_id(node.id, b);
        children[b].n_done = node.n_done + use.is_done;
        children[b].used = node.used;
        if (use.is_once && !use.is_done) children[b].used.push_back(node.best.column);
    }
    return children;
}

}  // namespace hornbeam
