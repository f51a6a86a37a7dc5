// Checks a game (game.hpp) and counts the columns of its paths.
#include "explaining/game.hpp"

#include <algorithm>

namespace hornbeam {

Game::Game(const Walker& walker, GameArrays arrays, std::int32_t columns, std::int32_t outputs)
    : GameArrays(std::move(arrays)), n_columns(columns), n_outputs(outputs), walker_(&walker) {
    check();
    measure();
}

void Game::check() const {
    const std::size_t n = set.size();
    require(n >= walker_->size() && edge_start.size() == n + 1 && has_stay.size() == n, "array lengths differ", n);
    require(child.size() == fraction.size() && edge_start.front() == 0 && at(edge_start.back()) == child.size(),
            "edges", n);
    require(width >= 0 && values.size() == n * at(width) && output >= 0 && output + width <= n_outputs, "values", n);
    require(!set_start.empty() && set_start.front() == 0 && at(set_start.back()) == set_columns.size(), "sets", n);
    for (std::size_t s = 0; s + 1 < set_start.size(); ++s) require(set_start[s] < set_start[s + 1], "empty set", s);
    for (std::size_t i = 0; i < set_columns.size(); ++i) {
        require(set_columns[i] >= 0 && set_columns[i] < n_columns, "column of a set", i);
    }
    for (std::size_t t = 0; t < n; ++t) {
        require(edge_start[t] <= edge_start[t + 1], "edges of node", t);
        if (edge_start[t] == edge_start[t + 1]) continue;
        require(t < walker_->size() && set[t] >= 0 && at(set[t]) + 1 < set_start.size(), "set of node", t);
        for (std::int32_t e = edge_start[t]; e < edge_start[t + 1]; ++e) {
            require(child[e] > static_cast<std::int32_t>(t) && at(child[e]) < n, "child of node", t);
            require(fraction[e] >= 0.0 && fraction[e] <= 1.0 + 1e-9, "fraction of edge", at(e));
        }
    }
}

// The maximum number of columns, and of sets of several columns, on one path.
void Game::measure() {
    struct Frame {
        std::int32_t node, edge;
    };
    std::vector<std::int32_t> times(at(n_columns), 0), set_times(set_start.size() - 1, 0);
    std::int32_t players = 0, sets = 0;
    auto count = [&](std::int32_t s, std::int32_t step) {
        const std::int32_t begin = set_start[s], end = set_start[at(s) + 1];
        if (step > 0 ? set_times[s]++ == 0 : --set_times[s] == 0) sets += end - begin > 1 ? step : 0;
        for (std::int32_t i = begin; i < end; ++i) {
            std::int32_t& seen = times[set_columns[i]];
            if (step > 0 ? seen++ == 0 : --seen == 0) players += step;
        }
    };
    std::vector<Frame> stack;
    auto visit = [&](std::int32_t node) {
        if (is_leaf(node)) return;
        count(set[node], 1);
        max_players_ = std::max(max_players_, players);
        max_sets_ = std::max(max_sets_, sets);
        has_surrogates_ = has_surrogates_ || walker_->nodes().questions_at(node).size() > 1;
        may_distribute_ = may_distribute_ || walker_->nodes().missing_branch(node) == ALL_BRANCHES;
        stack.push_back({node, edge_start[node]});
    };
    visit(0);
    while (!stack.empty()) {
        Frame& top = stack.back();
        if (top.edge == edge_start[at(top.node) + 1]) {
            count(set[top.node], -1);
            stack.pop_back();
        } else {
            visit(child[top.edge++]);
        }
    }
}

}  // namespace hornbeam
