// Nodes as they are recorded in a fragment of the tree, and what is decided about them wherever their rows are: in
// memory, or in pieces elsewhere.
#pragma once

#include "core/random.hpp"
#include "nodes/scoring.hpp"
#include "nodes/work.hpp"

namespace hornbeam {

// Why a node is a leaf whatever its questions would be; `none` if it is to be searched. `n_columns` may be asked about;
// `alike` returns whether all rows of the node have the same values.
template <class Alike>
Reason early_reason(const Job& job, const Open& node, std::size_t n_columns, const Alike& alike) {
    const Plan& plan = job.plan;
    const Totals& totals = node.totals;
    const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
    const Reason reason = plan.stops.early(
        {totals.rows, weight, node.depth, job.scoring.is_pure(totals)},
        [&] { return job.scoring.largest_share(totals); }, alike);
    if (reason != Reason::none || n_columns > 0 || !plan.given.list.empty()) return reason;
    return node.n_asked == plan.columns.size() ? Reason::no_attributes : Reason::no_improvement;
}
// Why a node whose best question is known is a leaf after all. A gain that is rounding becomes 0.
Reason late_reason(const Job& job, Open& node);

// The impurity and the statistics of a node.
void record_node(Fragment& fragment, Open& node, const Scoring& scoring);
// Its question, with the branch of missing values, and room for its children; returns the first of them.
std::int32_t record_split(Fragment& fragment, const Open& node, std::int32_t missing_branch, const Job& job);

// Whether the column of a split is used again below: a category with a branch per value is used once per path.
struct ColumnUse {
    bool is_once;  // the search of the question uses the column once per path
    bool is_done;  // and so does every other search
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
        children[b].n_asked = node.n_asked + use.is_done;
        children[b].used = node.used;
        if (use.is_once && !use.is_done) children[b].used.push_back(node.best.column);
    }
    return children;
}

}  // namespace hornbeam
