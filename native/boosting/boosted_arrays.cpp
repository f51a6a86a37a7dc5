// Converts a tree on codes to the arrays of a tree on values.
#include "boosting/boosted.hpp"

#include <cmath>

#include "core/midpoint.hpp"

namespace hornbeam {

double cut_after(const BinnedColumn& column, std::uint32_t code) {
    return midpoint(column.high[code], column.low[code + 1]);
}

void shorten_steps(GradientTree& tree) {
    for (GradientNode& node : tree.nodes)
        if (node.value > 0) node.value = std::log1p(node.value);
}

void TreeWriter::write(const GradientTree& tree, const Units& units, Boosted& out) const {
    Grown& g = out.grown;
    const auto n_questions = static_cast<std::int32_t>(g.column.size());
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const GradientNode& node = tree.nodes[at];
        const bool is_leaf = node.first_child < 0;
        g.parent.push_back(node.parent);
        g.first_child.push_back(node.first_child);
        g.n_branches.push_back(is_leaf ? 0 : 2);
        g.missing_branch.push_back(is_leaf                                                               ? -1
                                   : node.split.kind == SplitKind::is_missing || node.split.missing_left ? 0
                                                                                                         : 1);
        g.depth.push_back(node.depth);
        const Reason reason = node.is_weak                         ? Reason::not_significant
                              : node.reason != Reason::none        ? node.reason
                              : node.gain > 0 || !node.is_searched ? Reason::leaves
                                                                   : Reason::no_improvement;
        g.reason.push_back(static_cast<std::int8_t>(is_leaf ? reason : Reason::none));
        g.rows.push_back(units.rows(node.sums.hc));
        const double weight = units.hessian(node.sums.hc), value = rate * node.value;
        g.weight.push_back(weight);
        g.prediction.push_back(value);
        g.stats.insert(g.stats.end(), {weight, value, 0.0});
        g.impurity.push_back(0.0);
        g.gain.push_back(is_leaf ? 0.0 : node.gain);
        g.score.push_back(is_leaf ? 0.0 : node.gain);
        g.question.push_back(is_leaf ? -1 : write_question(tree, at, g) - n_questions);
    }
    out.node_start.push_back(static_cast<std::int64_t>(g.parent.size()));
    out.question_start.push_back(static_cast<std::int64_t>(g.column.size()));
}

// Returns the row of the question in the question table.
std::int32_t TreeWriter::write_question(const GradientTree& tree, std::size_t at, QuestionArrays& out) const {
    const GradientSplit& split = tree.nodes[at].split;
    const BinnedColumn& column = table.columns[split.column];
    if (split.kind == SplitKind::is_missing) {
        out.whole.push_back(column.kind == Kind::numeric ? 0 : n_levels[split.column]);
        return out.add(split.column, IS_MISSING, Encoding::cuts);
    }
    if (split.kind == SplitKind::levels) {
        out.whole.insert(out.whole.end(), tree.levels[at].begin(), tree.levels[at].end());
        return out.add(split.column, SUBSET, Encoding::map);
    }
    out.reals.push_back(cut_after(column, static_cast<std::uint32_t>(split.length)));
    return out.add(split.column, THRESHOLD, Encoding::cuts);
}

}  // namespace hornbeam
