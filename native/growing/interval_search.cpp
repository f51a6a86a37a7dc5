#include "growing/interval_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/midpoint.hpp"
#include "growing/quantile_search.hpp"
#include "growing/search.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"

namespace hornbeam {
namespace {

constexpr double MIN_BITS = 1e-3, PIECE_TOLERANCE = 1e-10;

// The statistics of the criterion of consecutive blocks.
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

// Groups n entries in the order of their values; missing values among them have the imputed value.
template <class Entry>
void group_list(const Scoring& s, const NodeView& node, std::int32_t column, const Entry* list, std::int32_t n,
                Scratch& scratch) {
    const RowTargets targets = node.block.targets();
    ValueGroups& groups = scratch.intervals.groups;
    groups.known = n;
    std::int64_t* cell = nullptr;
    const auto add_rows = [&](const auto& statistic) {
        for (std::int32_t i = 0; i < n; ++i) {
            const std::uint32_t row = row_of(list[i]);
            if (i == 0 || rank_of(list[i]) != rank_of(list[i - 1])) {
                groups.counts.resize(groups.counts.size() + groups.width, 0);
                groups.rows.push_back(0);
                const double value = s.plan.columns[column].number(node.block.row_of[row]);
                groups.values.push_back(std::isnan(value) ? scratch.imputed.value : value);
                cell = groups.counts.data() + groups.counts.size() - groups.width;
            }
            ++groups.rows.back();
            statistic.add(targets, row, cell);
            if (node.totals.order) scratch.intervals.sorted.push_back(row);
        }
    };
    std::visit(add_rows, s.statistic);
}

void group_listed(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    with_entries(node.block, [&](const auto& typed) {
        const auto* list = typed.list(column) + node.begin;
        const std::int32_t n = node.rows(), known = known_entries(list, n);
        if (!imputes(s, column) || known == n || known == 0) return group_list(s, node, column, list, known, scratch);
        impute_list(s, node, column, list, known, scratch.imputed);
        group_list(s, node, column, scratch.imputed.list.data(), n, scratch);
    });
}

void group_codes(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    CodeTable& table = scratch.codes;
    ValueGroups& groups = scratch.intervals.groups;
    count_codes(s, node, column, span, table);
    if (imputes(s, column)) impute_codes(s, node, column, scratch);
    groups.known = table.known;
    for (const std::uint32_t code : table.present) {
        groups.counts.insert(groups.counts.end(), table.of(code), table.of(code) + table.width);
        groups.rows.push_back(table.rows[code]);
        groups.values.push_back(code == ready.n_codes ? scratch.imputed.value : ready.high_of(code));
    }
    table.clear(ready.n_codes);
}

// Groups the rows of a column whose values are not sorted.
void group_values(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    scratch.imputed.value =
        imputes(s, column) ? imputed_value(s, node, column) : std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<double, std::uint32_t>> known;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = node.block.order[i];
        const double given = s.plan.columns[column].number(node.block.row_of[row]);
        const double value = std::isnan(given) ? scratch.imputed.value : given;
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

// Cumulative sums of blocks: integers, converted at the end, with regression sums centered on the mean of the node.
void sum_blocks(const Scoring& s, const Totals& totals, IntervalBuffers& buffers) {
    const ValueGroups& groups = buffers.groups;
    const bool is_class = groups.is_class;
    BlockSums& sums = buffers.sums;
    sums.weight.assign(1, 0.0);
    sums.parts.resize(is_class ? groups.width : groups.width - 1);
    for (auto& part : sums.parts) part.assign(1, 0.0);
    std::vector<std::int64_t> before(groups.width, 0);
    std::vector<double> stats(groups.width);
    int group = 0;
    for (const int end : buffers.ends) {
        for (; group <= end; ++group)
            for (int k = 0; k < groups.width; ++k) before[k] += groups.of(group)[k];
        std::fill(stats.begin(), stats.end(), 0.0);
        s.statistic.add_real(before.data(), totals.cell.data(), stats.data());
        sums.weight.push_back(s.statistic.mass(before.data()));
        for (std::size_t k = 0; k < sums.parts.size(); ++k) sums.parts[k].push_back(stats[is_class ? k : k + 1]);
    }
}

// Scores the pieces with the same last block by removing one block after the other.
void score_quantile_pieces(const Scoring& s, const NodeView& node, int end, Scratch& scratch, double* out) {
    const IntervalBuffers& buffers = scratch.intervals;
    const TargetOrder& order = *node.totals.order;
    const auto rank = [&](std::size_t i) { return node.block.target_rank[buffers.sorted[i]]; };
    std::size_t n = 0;
    for (int group = 0; group <= buffers.ends[end - 1]; ++group)
        n += static_cast<std::size_t>(buffers.groups.rows[group]);
    scratch.peel.is_included.assign(order.values.size(), 0);
    for (std::size_t i = 0; i < n; ++i) scratch.peel.is_included[rank(i)] = 1;
    const bool is_weighted = !node.block.weights.empty();
    const double unit = (is_weighted ? s.targets.fine_unit : s.plan.target.unit) * s.plan.target.weight_unit;
    with_peel(is_weighted, [&](auto weighted) {
        Peel<decltype(weighted)::value> rows({s.plan.criterion.quantile, s.plan.criterion.scale}, order.values,
                                             order.weights, scratch.peel.is_included, scratch.peel.links);
        std::size_t at = 0;
        for (int block = 0, group = 0; block < end; ++block) {
            out[block] = -rows.risk() * unit;
            for (; block + 1 < end && group <= buffers.ends[block]; ++group)
                for (std::int64_t i = 0; i < buffers.groups.rows[group]; ++i) rows.remove(rank(at++));
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
        rule.score = PieceScore::rates;
        rule.off = sums.parts[0].back() / sums.weight.back();
        rule.mean = s.mean_target(totals) + rule.off;
        rule.needs_events = name == "poisson";
    }
    if (name == "entropy" || name == "c45" || s.is_ratio) rule.score = PieceScore::logs;
    if (name == "misclassification" || name == "zero_one") rule.score = PieceScore::largest;
    if (name == "cost_matrix") {
        rule.score = PieceScore::any;
        rule.score_pieces = [&s, &sums](int end, double* out) {
            for (int i = 0; i < end; ++i) {
                const std::vector<double> piece = stats_between(sums, i, end, true);
                out[i] = -(sums.weight[end] - sums.weight[i]) *
                         s.criterion->impurity(piece.data(), static_cast<int>(piece.size()));
            }
        };
    }
    if (totals.order) {
        rule.score = PieceScore::any;
        rule.score_pieces = [&](int end, double* out) { score_quantile_pieces(s, node, end, scratch, out); };
        std::vector<double> last(sums.size());
        score_quantile_pieces(s, node, sums.size(), scratch, last.data());
        impurity = -last[0] / sums.weight.back();
    }
    if (s.plan.target.is_class()) {
        const std::vector<double> all = stats_of_all(sums, true);
        impurity = s.criterion->impurity(all.data(), static_cast<int>(all.size()));
    }
    rule.slack = PIECE_TOLERANCE * std::max(sums.weight.back() * impurity, 1e-300);
    const Target& target = s.plan.target;
    const bool counts_rows = target.weights.empty() && target.class_scale.empty() && target.weight_unit == 1.0;
    if (rule.score == PieceScore::logs && counts_rows && !s.small_logs.values.empty()) {
        const LogTable& table = s.logs(totals.weight);
        rule.logs = table.values.data();
        rule.log_unit = table.unit;
    }
    return rule;
}

double pieces_gain(const Scoring& s, const SplitStats& split) {
    return s.plan.target.is_class() ? s.criterion->decrease(split) : s.criterion->score(split);
}

// Stores pieces as a table of levels, with missing values that count.
void fill_pieces(const Scoring& s, const NodeView& node, const Pieces& pieces, Scratch& scratch) {
    const IntervalBuffers& buffers = scratch.intervals;
    LevelTable& table = scratch.levels;
    const auto n_pieces = static_cast<std::int32_t>(pieces.size());
    std::vector<std::int64_t> rows(n_pieces, 0), weight(n_pieces, 0);
    for (int piece = 0, group = 0; piece < n_pieces; ++piece)
        for (; group <= buffers.ends[pieces[piece]]; ++group) {
            rows[piece] += buffers.groups.rows[group];
            weight[piece] += buffers.groups.weight(group);
        }
    if (node.totals.order) {
        std::vector<std::int32_t> piece_of(node.block.n_rows, -1);
        std::size_t at = 0;
        for (std::int32_t piece = 0; piece < n_pieces; ++piece)
            for (std::int64_t i = 0; i < rows[piece]; ++i) piece_of[buffers.sorted[at++]] = piece;
        fill_piece_distributions(s, node, piece_of, n_pieces, scratch);
    } else {
        const bool is_class = s.plan.target.is_class();
        table = LevelTable();
        table.width = s.statistic.width();
        table.is_number = !is_class;
        s.set_target_scale(node.totals, table);
        table.stats = stats_of(pieces, buffers.sums, is_class);
        table.parent = stats_of_all(buffers.sums, is_class);
        if (buffers.groups.known < node.totals.rows) table.unknown = s.mass(node.totals) - buffers.sums.weight.back();
    }
    table.rows = std::move(rows);
    table.weight = std::move(weight);
    add_missing_to_levels(s, node.totals, scratch);
}

// The pieces of largest gain divided by split information, or those that the MDL test accepts.
Pieces best_pieces(const Scoring& s, const NodeView& node, Scratch& scratch) {
    IntervalBuffers& buffers = scratch.intervals;
    if (s.plan.cuts.intervals_by_mdlp) return mdlp_pieces(buffers.sums);
    Pieces best;
    double top = 0.0;
    for (Pieces& pieces : optimal_pieces(s.plan.cuts.intervals, piece_rule(s, node, scratch), buffers)) {
        fill_pieces(s, node, pieces, scratch);
        const LevelTable& table = scratch.levels;
        const SplitStats split = table.split(table.parent, table.stats, 0.0);
        const double bits = split_information(split, table.is_number);
        if (!(bits > MIN_BITS)) continue;
        const double fraction = table.mass() / (table.mass() + table.unknown);
        const double ratio = pieces_gain(s, split) * fraction / bits;
        if (ratio - top > PIECE_TOLERANCE) top = ratio, best = std::move(pieces);
    }
    return best;
}

void score_pieces(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out) {
    const LevelTable& table = scratch.levels;
    const MinSize low = s.fixed_min_size;
    int enough = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        enough += table.rows[i] >= low.rows && table.weight[i] >= low.weight;
    if (enough < 2) return;
    const double bar = s.tolerance(node.impurity), fraction = table.mass() / (table.mass() + table.unknown);
    out.score = score_branches(table, *s.criterion, bar, {table.stats, table.weight}, out.missing_branch);
    if (!table.own.empty()) out.own = OwnBranch::scored;
    out.type = Candidate::Type::cut;
    out.n_branches = static_cast<std::int32_t>(table.rows.size());
    const CountedBranches branches(table, table.stats, out.missing_branch);
    out.information = split_information(branches.split(table), table.is_number);
    s.finish(out, fraction, 1, node.totals);
    if (s.plan.target.is_class() && !s.criterion->is_impurity())
        out.gain = s.criterion->decrease(branches.split(table)) * fraction;
    if (!s.finds_zero && !(out.score > bar)) out.type = Candidate::Type::none;
}

}  // namespace

Candidate best_intervals(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    out.rank = Candidate::INTERVALS_RANK;
    IntervalBuffers& buffers = scratch.intervals;
    const ReadyColumn& ready = s.columns[column];
    buffers.groups.clear(s.statistic.width(), s.plan.target.is_class());
    buffers.sorted.clear();
    set_missing(s, node, column, scratch);
    if (ready.is_listed)
        group_listed(s, node, column, scratch);
    else if (ready.is_plain || ready.is_binned() || node.totals.order)
        group_values(s, node, column, scratch);
    else
        group_codes(s, node, column, span, scratch);
    const std::vector<double>& values = buffers.groups.values;
    if (values.size() < 2) return out;
    out.type = Candidate::Type::none;
    buffers.groups.find_blocks(s.factor, buffers.ends);
    if (buffers.ends.size() < 2) return out;
    sum_blocks(s, node.totals, buffers);
    const Pieces pieces = best_pieces(s, node, scratch);
    if (pieces.size() < 2) return out;
    fill_pieces(s, node, pieces, scratch);
    score_pieces(s, node, scratch, out);
    if (!out.found()) return out;
    std::vector<double> cuts;
    for (std::size_t b = 0; b + 1 < pieces.size(); ++b)
        cuts.push_back(midpoint(values[buffers.ends[pieces[b]]], values[buffers.ends[pieces[b]] + 1]));
    out.cuts = std::make_shared<const std::vector<double>>(std::move(cuts));
    return out;
}

}  // namespace hornbeam
