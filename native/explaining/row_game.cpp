// One row against every leaf: questions about several columns, rows that are shared out. See game.hpp.
//
// With T the sets of several columns that are taken to have joined, U the union of their columns, c the product of
// (onward - share) over T and of share over the others, and p_j(t) = share_j (1 - t) + onward_j t of a single column:
//
//     columns in U gain   c * integral of t^(|U| - 1) * product of p_j
//     another column i    c * integral of t^|U| * (onward_i - share_i) * product of p_j, j other than i
//
// where a single column inside U counts as joined. Summed over all T.
#include <algorithm>
#include <bit>
#include <cmath>

#include "explaining/game.hpp"

namespace hornbeam {
void RowGame::enter(const Game& game, const Member& member, std::int64_t row, std::int32_t node) {
    const std::int32_t s = game.set[at(node)];
    const bool is_new = seen_[at(s)] == 0;
    if (is_new) {
        seen_[at(s)] = 1;
        share_[at(s)] = onward_[at(s)] = 1.0;
        active_.push_back(s);
    }
    const Walker::Step step = game.walker().step(node, member.columns.data(), row);
    stack_.push_back(
        {node, game.edge_start[at(node)], game.edge_of(node, step), share_[at(s)], onward_[at(s)], is_new});
}

void RowGame::add(const Member& member, std::int64_t row, double* out) {
    const Game& game = *member.game;
    const std::size_t n_sets = game.set_start.size() - 1;
    seen_.assign(n_sets, 0);
    share_.assign(n_sets, 1.0);
    onward_.assign(n_sets, 1.0);
    stamp_.assign(at(game.n_columns), 0);
    clock_ = 0;
    active_.clear();
    stack_.clear();
    if (game.is_leaf(0)) return;
    enter(game, member, row, 0);
    while (!stack_.empty()) {
        Frame& top = stack_.back();
        const std::int32_t s = game.set[at(top.node)];
        const std::int32_t first = game.edge_start[at(top.node)];
        if (top.edge == game.edge_start[at(top.node) + 1]) {
            share_[at(s)] = top.share;
            onward_[at(s)] = top.onward;
            if (top.is_new) {
                seen_[at(s)] = 0;
                active_.pop_back();
            }
            stack_.pop_back();
            continue;
        }
        const std::int32_t edge = top.edge++;
        const bool is_stay = game.has_stay[at(top.node)] != 0 && edge == game.edge_start[at(top.node) + 1] - 1;
        // A row that is shared out takes no part of the edge for rows that stay; the rest keep their proportions.
        double part = edge - first == top.taken ? 1.0 : 0.0;
        if (top.taken == kShare) {
            double total = 0.0;
            const std::int32_t last = game.edge_start[at(top.node) + 1] - (game.has_stay[at(top.node)] != 0 ? 1 : 0);
            for (std::int32_t e = first; e < last; ++e) total += game.share[at(e)];
            part = is_stay || !(total > 0.0) ? 0.0 : game.share[at(edge)] / total;
        }
        share_[at(s)] = top.share * game.share[at(edge)];
        onward_[at(s)] = top.onward * part;
        if (share_[at(s)] == 0.0 && onward_[at(s)] == 0.0) continue;
        const std::int32_t below = game.child[at(edge)];
        if (game.is_leaf(below)) {
            leaf(member, game.value(below), out);
        } else {
            enter(game, member, row, below);
        }
    }
}

void RowGame::leaf(const Member& member, const double* value, double* out) {
    const Game& game = *member.game;
    many_.clear();
    single_.clear();
    for (const std::int32_t s : active_) {
        (game.set_start[at(s) + 1] - game.set_start[at(s)] > 1 ? many_ : single_).push_back(s);
    }
    const std::uint64_t end = std::uint64_t{1} << many_.size();
    for (std::uint64_t joined = 0; joined < end; ++joined) leaf_with(member, joined, value, out);
}

void RowGame::leaf_with(const Member& member, std::uint64_t joined, const double* value, double* out) {
    const Game& game = *member.game;
    double factor = 1.0;
    ++clock_;
    union_.clear();
    for (std::size_t m = 0; m < many_.size(); ++m) {
        const std::int32_t s = many_[m];
        const bool is_in = ((joined >> m) & 1) != 0;
        factor *= is_in ? onward_[at(s)] - share_[at(s)] : share_[at(s)];
        for (std::int32_t i = game.set_start[at(s)]; is_in && i < game.set_start[at(s) + 1]; ++i) {
            const std::int32_t column = game.set_columns[at(i)];
            if (stamp_[at(column)] == clock_) continue;
            stamp_[at(column)] = clock_;
            union_.push_back(column);
        }
    }
    auto column_of = [&](std::int32_t s) { return game.set_columns[at(game.set_start[at(s)])]; };
    for (const std::int32_t s : single_) {
        if (stamp_[at(column_of(s))] == clock_) {
            factor *= onward_[at(s)];
        } else if (share_[at(s)] == 0.0 && onward_[at(s)] == 0.0) {
            return;
        }
    }
    if (factor == 0.0) return;
    const std::size_t n_points = member.points.at.size();
    const int joined_columns = static_cast<int>(union_.size());
    product_.resize(n_points);
    double together = 0.0;
    for (std::size_t q = 0; q < n_points; ++q) {
        const double t = member.points.at[q];
        double product = factor * member.points.weight[q];
        for (const std::int32_t s : single_) {
            if (stamp_[at(column_of(s))] != clock_) product *= share_[at(s)] * (1.0 - t) + onward_[at(s)] * t;
        }
        if (joined_columns > 0) together += product * std::pow(t, joined_columns - 1);
        product_[q] = product * std::pow(t, joined_columns);
    }
    auto give = [&](std::int32_t column, double gain) {
        double* to = out + at(column) * at(game.n_outputs) + game.output;
        for (std::int64_t k = 0; k < game.width; ++k) to[k] += gain * value[k];
    };
    for (const std::int32_t column : union_) give(column, together);
    for (const std::int32_t s : single_) {
        if (stamp_[at(column_of(s))] == clock_) continue;
        double gain = 0.0;
        for (std::size_t q = 0; q < n_points; ++q) {
            const double t = member.points.at[q];
            gain += product_[q] / (share_[at(s)] * (1.0 - t) + onward_[at(s)] * t);
        }
        give(column_of(s), gain * (onward_[at(s)] - share_[at(s)]));
    }
}

}  // namespace hornbeam
