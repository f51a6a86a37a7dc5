// How does a tree on codes become the arrays of a tree on values?
#include "boosting/boosted.hpp"

#include <cmath>

#include "core/midpoint.hpp"
#include "core/question_kinds.hpp"

namespace hornbeam {
namespace {

constexpr std::int8_t CUTS = 0, MAP = 1;  // numbers of Encoding in tree/questions/base.py

}  // namespace

double cut_behind(const BinnedColumn& column, std::uint32_t code) {
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
        g.missing_branch.push_back(is_leaf                                                            ? -1
                                   : node.split.asked == Asked::is_missing || node.split.missing_left ? 0
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
        out.value.push_back(value);
        g.stats.insert(g.stats.end(), {weight, value, 0.0});
        g.impurity.push_back(0.0);
        g.gain.push_back(is_leaf ? 0.0 : node.gain);
        g.score.push_back(is_leaf ? 0.0 : node.gain);
        g.question.push_back(is_leaf ? -1 : static_cast<std::int32_t>(g.column.size()) - n_questions);
        if (!is_leaf) write_question(tree, static_cast<std::int32_t>(at), out);
    }
    out.node_start.push_back(static_cast<std::int64_t>(g.parent.size()));
    out.question_start.push_back(static_cast<std::int64_t>(g.column.size()));
}

void TreeWriter::write_question(const GradientTree& tree, std::int32_t at, Boosted& out) const {
    Grown& g = out.grown;
    const GradientNode& node = tree.nodes[at];
    const BinnedColumn& column = table.columns[node.split.column];
    g.column.push_back(node.split.column);
    out.first.push_back(node.split.asked == Asked::is_missing ? 1 : 0);
    out.missing_answer.push_back(node.split.asked == Asked::is_missing ? 0 : -1);
    g.encoding.push_back(node.split.asked == Asked::levels ? MAP : CUTS);
    switch (node.split.asked) {
        case Asked::is_missing:
            g.question_kind.push_back(IS_MISSING);
            g.whole.push_back(column.kind == Kind::numeric ? 0 : n_levels[node.split.column]);
            break;
        case Asked::levels:
            g.question_kind.push_back(SUBSET);
            g.whole.insert(g.whole.end(), tree.levels[at].begin(), tree.levels[at].end());
            break;
        default:
            g.question_kind.push_back(THRESHOLD);
            g.reals.push_back(cut_behind(column, static_cast<std::uint32_t>(node.split.length)));
    }
    out.whole_start.push_back(static_cast<std::int64_t>(g.whole.size()));
    out.reals_start.push_back(static_cast<std::int64_t>(g.reals.size()));
}

}  // namespace hornbeam
