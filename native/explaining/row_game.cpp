// One row against every leaf: supports questions about several columns and rows that are distributed. See game.hpp.
//
// T: the sets of several columns in the coalition; U: the union of their columns; c: the product of (onward - fraction)
// over T and of fraction over the other sets; p_j(t) = fraction_j (1 - t) + onward_j t of a single column. Then
//
//     columns in U gain   c * integral of t^(|U| - 1) * product of p_j
//     another column i    c * integral of t^|U| * (onward_i - fraction_i) * product of p_j over j other than i
//
// where a single column inside U counts as in the coalition. The gains are summed over all T.
#include <cmath>

#include "explaining/game.hpp"

namespace hornbeam {
void RowGame::enter(const Game& game, const ExplainedTree& tree, std::int64_t row, std::int32_t node) {
    const std::int32_t s = game.set[node];
    const bool is_new = seen_[s] == 0;
    if (is_new) {
        seen_[s] = 1;
        fraction_[s] = onward_[s] = 1.0;
        active_.push_back(s);
    }
    const Step step = game.walker().nodes().step(node, tree.columns.data(), row);
    stack_.push_back({node, game.edge_start[node], game.edge_of(node, step), fraction_[s], onward_[s], is_new});
}

void RowGame::add(const ExplainedTree& tree, std::int64_t row, double* out) {
    const Game& game = *tree.game;
    const std::size_t n_sets = game.set_start.size() - 1;
    seen_.assign(n_sets, 0);
    fraction_.assign(n_sets, 1.0);
    onward_.assign(n_sets, 1.0);
    stamp_.assign(at(game.n_columns), 0);
    clock_ = 0;
    active_.clear();
    stack_.clear();
    if (game.is_leaf(0)) return;
    enter(game, tree, row, 0);
    while (!stack_.empty()) {
        Frame& top = stack_.back();
        const std::int32_t s = game.set[top.node];
        const std::int32_t first = game.edge_start[top.node];
        if (top.edge == game.edge_start[at(top.node) + 1]) {
            fraction_[s] = top.fraction;
            onward_[s] = top.onward;
            if (top.is_new) {
                seen_[s] = 0;
                active_.pop_back();
            }
            stack_.pop_back();
            continue;
        }
        const std::int32_t edge = top.edge++;
        const bool is_stay = game.has_stay[top.node] != 0 && edge == game.edge_start[at(top.node) + 1] - 1;
        // A distributed row does not take the edge for rows that stay; the other edges keep their proportions.
        double row_fraction = edge - first == top.taken ? 1.0 : 0.0;
        if (top.taken == ALL_BRANCHES) {
            double total = 0.0;
            const std::int32_t last = game.edge_start[at(top.node) + 1] - (game.has_stay[top.node] != 0 ? 1 : 0);
            for (std::int32_t e = first; e < last; ++e) total += game.fraction[e];
            row_fraction = is_stay || !(total > 0.0) ? 0.0 : game.fraction[edge] / total;
        }
        fraction_[s] = top.fraction * game.fraction[edge];
        onward_[s] = top.onward * row_fraction;
        if (fraction_[s] == 0.0 && onward_[s] == 0.0) continue;
        const std::int32_t below = game.child[edge];
        if (game.is_leaf(below)) {
            leaf(tree, game.value(below), out);
        } else {
            enter(game, tree, row, below);
        }
    }
}

void RowGame::leaf(const ExplainedTree& tree, const double* value, double* out) {
    const Game& game = *tree.game;
    many_.clear();
    single_.clear();
    for (const std::int32_t s : active_) {
        (game.set_start[at(s) + 1] - game.set_start[s] > 1 ? many_ : single_).push_back(s);
    }
    const std::uint64_t end = std::uint64_t{1} << many_.size();
    for (std::uint64_t coalition = 0; coalition < end; ++coalition) leaf_with(tree, coalition, value, out);
}

void RowGame::leaf_with(const ExplainedTree& tree, std::uint64_t coalition, const double* value, double* out) {
    const Game& game = *tree.game;
    double factor = 1.0;
    ++clock_;
    union_.clear();
    for (std::size_t m = 0; m < many_.size(); ++m) {
        const std::int32_t s = many_[m];
        const bool is_in = ((coalition >> m) & 1) != 0;
        factor *= is_in ? onward_[s] - fraction_[s] : fraction_[s];
        for (std::int32_t i = game.set_start[s]; is_in && i < game.set_start[at(s) + 1]; ++i) {
            const std::int32_t column = game.set_columns[i];
            if (stamp_[column] == clock_) continue;
            stamp_[column] = clock_;
            union_.push_back(column);
        }
    }
    auto column_of = [&](std::int32_t s) { return game.set_columns[game.set_start[s]]; };
    for (const std::int32_t s : single_) {
        if (stamp_[column_of(s)] == clock_) {
            factor *= onward_[s];
        } else if (fraction_[s] == 0.0 && onward_[s] == 0.0) {
            return;
        }
    }
    if (factor == 0.0) return;
    const std::size_t n_points = tree.points.at.size();
    const int union_size = static_cast<int>(union_.size());
    product_.resize(n_points);
    double union_gain = 0.0;
    for (std::size_t q = 0; q < n_points; ++q) {
        const double t = tree.points.at[q];
        double product = factor * tree.points.weight[q];
        for (const std::int32_t s : single_) {
            if (stamp_[column_of(s)] != clock_) product *= fraction_[s] * (1.0 - t) + onward_[s] * t;
        }
        if (union_size > 0) union_gain += product * std::pow(t, union_size - 1);
        product_[q] = product * std::pow(t, union_size);
    }
    auto add_gain = [&](std::int32_t column, double gain) {
        double* to = out + at(column) * at(game.n_outputs) + game.output;
        for (std::int64_t k = 0; k < game.width; ++k) to[k] += gain * value[k];
    };
    for (const std::int32_t column : union_) add_gain(column, union_gain);
    for (const std::int32_t s : single_) {
        if (stamp_[column_of(s)] == clock_) continue;
        double gain = 0.0;
        for (std::size_t q = 0; q < n_points; ++q) {
            const double t = tree.points.at[q];
            gain += product_[q] / (fraction_[s] * (1.0 - t) + onward_[s] * t);
        }
        add_gain(column_of(s), gain * (onward_[s] - fraction_[s]));
    }
}

}  // namespace hornbeam
