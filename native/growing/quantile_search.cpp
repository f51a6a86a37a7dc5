// Searches where impurity is the distance from a quantile: moments do not determine it, the order of the targets does.
// A column is walked twice, and rows are taken from the order one by one (searches/peel.hpp). Groupings of levels use
// the distribution of every level.
#include "growing/quantile_search.hpp"

#include <cmath>
#include <limits>

#include "core/ranks.hpp"
#include "core/stop.hpp"
#include "growing/marked_cuts.hpp"
#include "missing/fill.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {
namespace {

// The first `known` of the `n` entries have a value; the score is the decrease of the mean over these, times their
// share of the weight.
template <class Entry>
Cut quantile_cut(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, std::int32_t column,
                 Scratch& scratch) {
    const std::int32_t n = node.rows();
    const TargetOrder& order = *node.totals.order;
    const bool is_weighted = !node.block.weights.empty();
    const auto rank = [&](std::int32_t i) { return node.block.target_rank[row_of(list[i])]; };
    const auto differs = [&](std::int32_t i) { return rank_of(list[i - 1]) != rank_of(list[i]); };
    const bool is_filled = static_cast<const void*>(list) == scratch.filled.list.data();
    const bool needs_gap = s.needs_gap && s.columns[column].kind == Kind::numeric;
    const auto value = [&](std::int32_t i) {
        if (is_filled) return scratch.filled.values[rank_of(list[i])];
        return s.plan.columns[column].reals[node.block.row_of[row_of(list[i])]];
    };
    const auto is_cut = [&](std::int32_t i) { return differs(i) && (!needs_gap || are_apart(value(i - 1), value(i))); };
    scratch.peel.is_here.assign(known < n ? n : 0, 0);
    for (std::int32_t i = 0; known < n && i < known; ++i) scratch.peel.is_here[rank(i)] = 1;
    scratch.peel.behind.resize(known);
    const QuantileRule rule{s.plan.criterion.quantile, s.plan.criterion.scale};
    const double unit = is_weighted ? s.targets.fine_unit : s.plan.target.unit;
    Cut best;
    best.score = s.plain_least.start(0.0);
    double share = 1.0;
    with_peel(is_weighted, [&](auto weighted) {
        using Peeled = Peel<decltype(weighted)::value>;
        Peeled right(rule, order.values, order.weights, scratch.peel.is_here, scratch.peel.links);
        const double whole = right.risk(), weight = static_cast<double>(right.weight());
        const std::int64_t all = right.weight();
        if (known < n) share = weight / static_cast<double>(node.totals.weight);
        const Least low = s.least(all, true);
        const bool some = tries_some(s);
        if (some) mark_cuts(s, node.block, list, known, all, scratch);
        for (std::int32_t i = 1; i < known; ++i) {
            check_stop(4);
            right.remove(rank(i - 1));
            if (differs(i)) scratch.peel.behind[i] = right.risk();
        }
        Peeled left(rule, order.values, order.weights, scratch.peel.is_here, scratch.peel.links);
        for (std::int32_t i = known - 1; i >= 1; --i) {
            check_stop(4);
            left.remove(rank(i));
            const bool is_allowed = is_cut(i) && (!some || scratch.is_marked[row_of(list[i - 1])]) && i >= low.rows &&
                                    known - i >= low.rows && left.weight() >= low.weight &&
                                    all - left.weight() >= low.weight;
            best.tried += is_allowed;
            scratch.peel.behind[i] = is_allowed ? (whole - left.risk() - scratch.peel.behind[i]) * unit / weight
                                                : -std::numeric_limits<double>::infinity();
        }
    });
    scratch.peel.behind[0] = -std::numeric_limits<double>::infinity();
    take_best(scratch.peel.behind.data(), known, s.tolerance(node.impurity) / share, best);
    best.score *= share;
    return best;
}

// Every level's distribution over the numbers of the node; whether there are two levels or more. `level_of(i)` is that
// of the i-th row of the block's order.
template <class LevelOf>
bool fill_distributions(const Scoring& s, const NodeView& node, std::int32_t n_levels, const LevelOf& level_of,
                        Scratch& scratch) {
    const TargetOrder& order = *node.totals.order;
    LevelTable& table = scratch.levels;
    table = LevelTable();
    s.set_target_scale(node.totals, table);
    std::vector<std::int32_t> place(n_levels, 0);
    for (std::int32_t i = node.begin; i < node.end; ++i)
        if (const std::int32_t level = level_of(i); level >= 0) place[level] = 1;
    for (std::int32_t level = 0; level < n_levels; ++level) {
        if (place[level] == 0) continue;
        place[level] = table.size();
        table.present.push_back(static_cast<std::uint32_t>(level));
    }
    table.width = static_cast<int>(order.numbers.size());
    const auto m = static_cast<std::size_t>(table.size()), width = static_cast<std::size_t>(table.width);
    table.targets = order.rounded;
    table.rows.assign(m, 0);
    table.weight.assign(m, 0);
    table.sums.assign(m, 0.0);
    table.stats.assign(m * width, 0.0);
    table.parent.assign(width, 0.0);
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = node.block.order[i];
        const std::int64_t w = node.block.weight_of(row);
        const double weight = static_cast<double>(w) * s.plan.target.weight_unit;
        const std::int32_t level = level_of(i);
        if (level < 0) {
            table.unknown += weight;
            continue;
        }
        const std::uint32_t at = order.place[node.block.target_rank[row]];
        table.stats[place[level] * width + at] += weight;
        table.parent[at] += weight;
        table.sums[place[level]] += weight * (order.numbers[at] - table.mean);
        ++table.rows[place[level]];
        table.weight[place[level]] += w;
        ++table.total_rows;
        table.total_weight += w;
    }
    return m > 1;
}

}  // namespace

bool fill_side_distributions(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch) {
    return fill_distributions(s, node, 2, [&](std::int32_t i) { return sides[i - node.begin]; }, scratch);
}

bool fill_code_distributions(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    const auto n_codes = static_cast<std::int32_t>(s.columns[column].n_codes);
    const std::int32_t usual = fills(s, column) ? static_cast<std::int32_t>(stands_in(s, node, column)) : -1;
    bool varies = false;
    with_codes(node.block.codes[column], [&](const auto* codes) {
        const auto level = [&](std::int32_t i) {
            const std::uint32_t row = node.block.order[i];
            return codes[row] < s.columns[column].n_codes ? static_cast<std::int32_t>(codes[row]) : usual;
        };
        varies = fill_distributions(s, node, n_codes, level, scratch);
    });
    return varies;
}

Candidate best_by_quantile(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    const ReadyColumn& ready = s.columns[column];
    const std::int32_t n = node.rows();
    if (ready.kind == Kind::nominal) {
        if (!fill_code_distributions(s, node, column, scratch)) return out;
        out.type = Candidate::Type::none;
        judge_groups(s, scratch.levels, node.totals, node.impurity, out);
        return out;
    }
    const auto set_cut = [&](const auto* list, std::int32_t at) {
        out.type = Candidate::Type::cut;
        out.below = at;
        if (ready.is_listed) return;
        const auto below = static_cast<std::uint32_t>(rank_of(list[at - 1]));
        const auto above = static_cast<std::uint32_t>(rank_of(list[at]));
        out.code = below;
        out.low = ready.high_of(below);
        out.high = ready.low_of(above);
    };
    const auto search = [&](const auto* list) {
        const std::int32_t known = known_entries(list, n);
        if (known < 2 || rank_of(list[0]) == rank_of(list[known - 1])) return;
        out.type = Candidate::Type::none;
        if (s.plan.missing.fill != FillBy::nothing && known < n) {
            fill_list(s, node, column, list, known, scratch.filled);
            const Filled& filled = scratch.filled;
            const Cut cut = quantile_cut(s, node, filled.list.data(), n, column, scratch);
            if (cut.at < 0) return;
            out.missing_branch = filled.branch(cut.at);
            set_cut(list, filled.known_below(cut.at));
            out.score = cut.score;
            if (!ready.is_listed && !ready.is_binned()) widen(filled.value, out);
            s.finish(out, 1.0, cut.tried, node.totals);
            return;
        }
        const Cut cut = quantile_cut(s, node, list, known, column, scratch);
        if (cut.at < 0) return;
        set_cut(list, cut.at);
        out.score = cut.score;
        s.finish(out, 1.0, cut.tried, node.totals);
    };
    if (ready.is_listed) {
        with_entries(node.block, [&](const auto& typed) { search(typed.list(column) + node.begin); });
    } else {
        scratch.peel.by_code.resize(n);
        with_codes(node.block.codes[column], [&](const auto* codes) {
            for (std::int32_t i = 0; i < n; ++i) {
                const std::uint32_t row = node.block.order[node.begin + i];
                const std::uint64_t code = codes[row] < ready.n_codes ? codes[row] : NO_RANK<std::uint64_t>;
                scratch.peel.by_code[i] = code << 32 | row;
            }
        });
        sort_words(scratch.peel.by_code.data(), n);
        search(static_cast<const std::uint64_t*>(scratch.peel.by_code.data()));
    }
    return out;
}

}  // namespace hornbeam
