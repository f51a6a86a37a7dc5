#include "growing/interval_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/midpoint.hpp"
#include "growing/quantile_search.hpp"
#include "growing/search.hpp"
#include "missing/fill.hpp"
#include "missing/missing_counts.hpp"

namespace hornbeam {
namespace {

constexpr double LEAST_BITS = 1e-3, SLIGHT = 1e-10;

// What lies between two blocks as the criterion looks at it.
std::vector<double> stats_between(const BlockSums& sums, int from, int to, bool is_class) {
    std::vector<double> out;
    if (!is_class) out.push_back(sums.weight[to] - sums.weight[from]);
    for (const auto& part : sums.parts) out.push_back(part[to] - part[from]);
    return out;
}

std::vector<double> stats_of(const Pieces& pieces, const BlockSums& sums, bool is_class) {
    std::vector<double> out;
    int from = 0;
    for (const int last : pieces) {
        const std::vector<double> piece = stats_between(sums, from, last + 1, is_class);
        out.insert(out.end(), piece.begin(), piece.end());
        from = last + 1;
    }
    return out;
}

std::vector<double> stats_of_all(const BlockSums& sums, bool is_class) {
    return stats_of({sums.size() - 1}, sums, is_class);
}

// The groups of n entries in the order of their values; missing values among them have the value that replaces them.
template <class Entry>
void group_list(const Scoring& s, const NodeView& node, std::int32_t column, const Entry* list, std::int32_t n,
                Scratch& scratch) {
    const RowTargets targets = node.block.targets();
    ValueGroups& groups = scratch.intervals.groups;
    groups.known = n;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t row = row_of(list[i]);
        if (i == 0 || rank_of(list[i]) != rank_of(list[i - 1])) {
            groups.counts.resize(groups.counts.size() + groups.width, 0);
            groups.rows.push_back(0);
            const double value = s.plan.columns[column].number(node.block.row_of[row]);
            groups.values.push_back(std::isnan(value) ? scratch.filled.value : value);
        }
        ++groups.rows.back();
        std::int64_t* cell = groups.counts.data() + groups.counts.size() - groups.width;
        std::visit([&](const auto& statistic) { statistic.add(targets, row, cell); }, s.statistic);
        if (node.totals.order) scratch.intervals.sorted.push_back(row);
    }
}

void group_listed(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    with_entries(node.block, [&](const auto& typed) {
        const auto* list = typed.list(column) + node.begin;
        const std::int32_t n = node.rows(), known = known_entries(list, n);
        if (!fills(s, column) || known == n || known == 0) return group_list(s, node, column, list, known, scratch);
        fill_list(s, node, column, list, known, scratch.filled);
        group_list(s, node, column, scratch.filled.list.data(), n, scratch);
    });
}

void group_codes(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    CodeTable& table = scratch.codes;
    ValueGroups& groups = scratch.intervals.groups;
    count_codes(s, node, column, span, table);
    if (fills(s, column)) fill_codes(s, node, column, scratch);
    groups.known = table.known;
    for (const std::uint32_t code : table.present) {
        groups.counts.insert(groups.counts.end(), table.of(code), table.of(code) + table.width);
        groups.rows.push_back(table.rows[code]);
        groups.values.push_back(code == ready.n_codes ? scratch.filled.value : ready.high_of(code));
    }
    table.clear(ready.n_codes);
}

// Of a column whose values are in no order.
void group_values(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    scratch.filled.value = fills(s, column) ? stands_in(s, node, column) : std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<double, std::uint32_t>> known;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = node.block.order[i];
        const double given = s.plan.columns[column].number(node.block.row_of[row]);
        const double value = std::isnan(given) ? scratch.filled.value : given;
        if (!std::isnan(value)) known.emplace_back(value, row);
    }
    std::sort(known.begin(), known.end());
    std::vector<std::uint64_t> list(known.size());
    std::uint64_t rank = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
        rank += i > 0 && known[i].first != known[i - 1].first;
        list[i] = rank << 32 | known[i].second;
    }
    group_list(s, node, column, list.data(), static_cast<std::int32_t>(list.size()), scratch);
}

// Integers are summed, and sums of numbers centered on the mean of the node, so that nothing is lost before the end.
void sum_blocks(const Scoring& s, const Totals& totals, IntervalRoom& room) {
    const ValueGroups& groups = room.groups;
    const bool is_class = groups.is_class;
    BlockSums& sums = room.sums;
    sums.weight.assign(1, 0.0);
    sums.parts.resize(is_class ? groups.width : groups.width - 1);
    for (auto& part : sums.parts) part.assign(1, 0.0);
    std::vector<std::int64_t> before(groups.width, 0);
    std::vector<double> stats(groups.width);
    int group = 0;
    for (const int end : room.ends) {
        for (; group <= end; ++group)
            for (int k = 0; k < groups.width; ++k) before[k] += groups.of(group)[k];
        std::fill(stats.begin(), stats.end(), 0.0);
        s.statistic.add_real(before.data(), totals.cell.data(), stats.data());
        sums.weight.push_back(s.statistic.mass(before.data()));
        for (std::size_t k = 0; k < sums.parts.size(); ++k) sums.parts[k].push_back(stats[is_class ? k : k + 1]);
    }
}

// The worth of the pieces that end with a block, by walks that take one block after the other away.
void weigh_quantiles(const Scoring& s, const NodeView& node, int end, Scratch& scratch, double* out) {
    const IntervalRoom& room = scratch.intervals;
    const TargetOrder& order = *node.totals.order;
    const auto rank = [&](std::size_t i) { return node.block.target_rank[room.sorted[i]]; };
    std::size_t n = 0;
    for (int group = 0; group <= room.ends[end - 1]; ++group) n += static_cast<std::size_t>(room.groups.rows[group]);
    scratch.peel.is_here.assign(order.values.size(), 0);
    for (std::size_t i = 0; i < n; ++i) scratch.peel.is_here[rank(i)] = 1;
    const bool is_weighted = !node.block.weights.empty();
    const double unit = (is_weighted ? s.targets.fine_unit : s.plan.target.unit) * s.plan.target.weight_unit;
    with_peel(is_weighted, [&](auto weighted) {
        Peel<decltype(weighted)::value> rows({s.plan.criterion.quantile, s.plan.criterion.scale}, order.values,
                                             order.weights, scratch.peel.is_here, scratch.peel.links);
        std::size_t at = 0;
        for (int block = 0, group = 0; block < end; ++block) {
            out[block] = -rows.risk() * unit;
            for (; block + 1 < end && group <= room.ends[block]; ++group)
                for (std::int64_t i = 0; i < room.groups.rows[group]; ++i) rows.remove(rank(at++));
        }
    });
}

PieceRule piece_rule(const Scoring& s, const NodeView& node, Scratch& scratch) {
    const BlockSums& sums = scratch.intervals.sums;
    const Totals& totals = node.totals;
    double impurity = node.impurity;
    const std::string& name = s.plan.criterion.name;
    PieceRule rule;
    if (s.is_poisson) {
        rule.worth = PieceWorth::rates;
        rule.off = sums.parts[0].back() / sums.weight.back();
        rule.mean = s.mean_target(totals) + rule.off;
        rule.needs_events = name == "poisson";
    }
    if (name == "entropy" || name == "c45" || s.is_ratio) rule.worth = PieceWorth::logs;
    if (name == "misclassification" || name == "zero_one") rule.worth = PieceWorth::largest;
    if (name == "cost_matrix") {
        rule.worth = PieceWorth::any;
        rule.weigh = [&s, &sums](int end, double* out) {
            for (int i = 0; i < end; ++i) {
                const std::vector<double> piece = stats_between(sums, i, end, true);
                out[i] = -(sums.weight[end] - sums.weight[i]) *
                         s.criterion->impurity(piece.data(), static_cast<int>(piece.size()));
            }
        };
    }
    if (totals.order) {
        rule.worth = PieceWorth::any;
        rule.weigh = [&](int end, double* out) { weigh_quantiles(s, node, end, scratch, out); };
        std::vector<double> last(sums.size());
        weigh_quantiles(s, node, sums.size(), scratch, last.data());
        impurity = -last[0] / sums.weight.back();
    }
    if (s.plan.target.is_class()) {
        const std::vector<double> all = stats_of_all(sums, true);
        impurity = s.criterion->impurity(all.data(), static_cast<int>(all.size()));
    }
    rule.slack = SLIGHT * std::max(sums.weight.back() * impurity, 1e-300);
    const Target& target = s.plan.target;
    const bool counts_rows = target.weights.empty() && target.class_scale.empty() && target.weight_unit == 1.0;
    if (rule.worth == PieceWorth::logs && counts_rows && !s.small_logs.values.empty()) {
        const LogTable& table = s.logs(totals.weight);
        rule.logs = table.values.data();
        rule.log_unit = table.unit;
    }
    return rule;
}

double pieces_gain(const Scoring& s, const SplitStats& split) {
    return s.plan.target.is_class() ? s.criterion->decrease(split) : s.criterion->score(split);
}

// Pieces as a table of levels, with the rows of missing values that count.
void fill_pieces(const Scoring& s, const NodeView& node, const Pieces& pieces, Scratch& scratch) {
    const IntervalRoom& room = scratch.intervals;
    LevelTable& table = scratch.levels;
    const auto n_pieces = static_cast<std::int32_t>(pieces.size());
    std::vector<std::int64_t> rows(n_pieces, 0), weight(n_pieces, 0);
    for (int piece = 0, group = 0; piece < n_pieces; ++piece)
        for (; group <= room.ends[pieces[piece]]; ++group) {
            rows[piece] += room.groups.rows[group];
            weight[piece] += room.groups.weight(group);
        }
    if (node.totals.order) {
        std::vector<std::int32_t> piece_of(node.block.n_rows, -1);
        std::size_t at = 0;
        for (std::int32_t piece = 0; piece < n_pieces; ++piece)
            for (std::int64_t i = 0; i < rows[piece]; ++i) piece_of[room.sorted[at++]] = piece;
        fill_piece_distributions(s, node, piece_of, n_pieces, scratch);
    } else {
        const bool is_class = s.plan.target.is_class();
        table = LevelTable();
        table.width = s.statistic.width();
        table.is_number = !is_class;
        s.set_target_scale(node.totals, table);
        table.stats = stats_of(pieces, room.sums, is_class);
        table.parent = stats_of_all(room.sums, is_class);
        if (room.groups.known < node.totals.rows) table.unknown = s.mass(node.totals) - room.sums.weight.back();
    }
    table.rows = std::move(rows);
    table.weight = std::move(weight);
    add_holes_to_levels(s, node.totals, scratch);
}

// The pieces of largest gain over split information, or those that the test accepts.
Pieces best_pieces(const Scoring& s, const NodeView& node, Scratch& scratch) {
    IntervalRoom& room = scratch.intervals;
    if (s.plan.cuts.intervals_by_mdlp) return mdlp_pieces(room.sums);
    Pieces best;
    double top = 0.0;
    for (Pieces& pieces : optimal_pieces(s.plan.cuts.intervals, piece_rule(s, node, scratch), room)) {
        fill_pieces(s, node, pieces, scratch);
        const LevelTable& table = scratch.levels;
        const SplitStats split = table.split(table.parent, table.stats, 0.0);
        const double bits = split_information(split, table.is_number);
        if (!(bits > LEAST_BITS)) continue;
        const double share = table.mass() / (table.mass() + table.unknown);
        const double ratio = pieces_gain(s, split) * share / bits;
        if (ratio - top > SLIGHT) top = ratio, best = std::move(pieces);
    }
    return best;
}

void judge_pieces(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out) {
    const LevelTable& table = scratch.levels;
    const Least low = s.plain_least;
    int enough = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        enough += table.rows[i] >= low.rows && table.weight[i] >= low.weight;
    if (enough < 2) return;
    const double bar = s.tolerance(node.impurity), share = table.mass() / (table.mass() + table.unknown);
    out.score = score_branches(table, *s.criterion, bar, {table.stats, table.weight}, out.missing_branch);
    if (!table.own.empty()) out.own = OwnBranch::scored;
    out.type = Candidate::Type::cut;
    out.n_branches = static_cast<std::int32_t>(table.rows.size());
    const CountedBranches branches(table, table.stats, out.missing_branch);
    out.information = split_information(branches.split(table), table.is_number);
    s.finish(out, share, 1, node.totals);
    if (s.plan.target.is_class() && !s.criterion->is_impurity())
        out.gain = s.criterion->decrease(branches.split(table)) * share;
    if (!s.finds_zero && !(out.score > bar)) out.type = Candidate::Type::none;
}

}  // namespace

Candidate best_intervals(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    out.rank = Candidate::INTERVALS_RANK;
    IntervalRoom& room = scratch.intervals;
    const ReadyColumn& ready = s.columns[column];
    room.groups.clear(s.statistic.width(), s.plan.target.is_class());
    room.sorted.clear();
    set_holes(s, node, column, scratch);
    if (ready.is_listed)
        group_listed(s, node, column, scratch);
    else if (ready.is_plain || ready.is_binned() || node.totals.order)
        group_values(s, node, column, scratch);
    else
        group_codes(s, node, column, span, scratch);
    const std::vector<double>& values = room.groups.values;
    if (values.size() < 2) return out;
    out.type = Candidate::Type::none;
    room.groups.find_blocks(s.factor, room.ends);
    if (room.ends.size() < 2) return out;
    sum_blocks(s, node.totals, room);
    const Pieces pieces = best_pieces(s, node, scratch);
    if (pieces.size() < 2) return out;
    fill_pieces(s, node, pieces, scratch);
    judge_pieces(s, node, scratch, out);
    if (!out.found()) return out;
    std::vector<double> cuts;
    for (std::size_t b = 0; b + 1 < pieces.size(); ++b)
        cuts.push_back(midpoint(values[room.ends[pieces[b]]], values[room.ends[pieces[b]] + 1]));
    out.cuts = std::make_shared<const std::vector<double>>(std::move(cuts));
    return out;
}

}  // namespace hornbeam
