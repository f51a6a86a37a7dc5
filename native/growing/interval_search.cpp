#include "growing/interval_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/midpoint.hpp"
#include "growing/search.hpp"
#include "missing/missing_counts.hpp"

namespace hornbeam {
namespace {

constexpr double LEAST_BITS = 1e-3, SLIGHT = 1e-10;

// What the pieces hold as the criterion looks at it.
std::vector<double> stats_of(const Pieces& pieces, const BlockSums& sums, bool is_class) {
    std::vector<double> out;
    int from = 0;
    for (const int last : pieces) {
        if (!is_class) out.push_back(sums.weight[last + 1] - sums.weight[from]);
        for (const auto& part : sums.parts) out.push_back(part[last + 1] - part[from]);
        from = last + 1;
    }
    return out;
}

std::vector<double> stats_of_all(const BlockSums& sums, bool is_class) {
    return stats_of({sums.size() - 1}, sums, is_class);
}

// The weight of every piece; none where fewer than two are large enough.
std::vector<std::int64_t> weights_of(const Pieces& pieces, const IntervalRoom& room, const Least& low) {
    std::vector<std::int64_t> out;
    int enough = 0, group = 0;
    for (const int piece : pieces) {
        std::int64_t rows = 0, weight = 0;
        for (; group <= room.ends[piece]; ++group) {
            rows += room.groups.rows[group];
            weight += room.groups.weight(group);
        }
        enough += rows >= low.rows && weight >= low.weight;
        out.push_back(weight);
    }
    if (enough < 2) out.clear();
    return out;
}

void group_list(const Scoring& s, const NodeSlice& node, std::int32_t column, Scratch& scratch) {
    const RowTargets targets = node.block.targets();
    ValueGroups& groups = scratch.intervals.groups;
    groups.clear(s.statistic.width(), s.plan.target.is_class());
    const std::int32_t n = node.rows();
    with_entries(node.block, [&](const auto& typed) {
        const auto* list = typed.list(column) + node.begin;
        using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
        for (std::int32_t i = 0; i < n && rank_of(list[i]) != NO_RANK<Entry>; ++i) {
            const std::uint32_t row = row_of(list[i]);
            if (i == 0 || rank_of(list[i]) != rank_of(list[i - 1])) {
                groups.counts.resize(groups.counts.size() + groups.width, 0);
                groups.rows.push_back(0);
                groups.key.push_back(row);
            }
            ++groups.known;
            ++groups.rows.back();
            std::int64_t* cell = groups.counts.data() + groups.counts.size() - groups.width;
            std::visit([&](const auto& statistic) { statistic.add(targets, row, cell); }, s.statistic);
        }
        if (s.plan.missing.counted == HoleRule::apart || groups.known == n) return;
        scratch.touched.clear();
        for (auto i = static_cast<std::int32_t>(groups.known); i < n; ++i) scratch.touched.push_back(row_of(list[i]));
        set_holes(s, node.block, scratch.touched, scratch.holes);
    });
}

void group_codes(const Scoring& s, std::int32_t column, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    CodeTable& table = scratch.codes;
    ValueGroups& groups = scratch.intervals.groups;
    groups.clear(static_cast<int>(s.factor.size()), s.plan.target.is_class());
    groups.known = table.known;
    groups.key = table.present;
    for (const std::uint32_t code : table.present) {
        groups.counts.insert(groups.counts.end(), table.of(code), table.of(code) + table.width);
        groups.rows.push_back(table.rows[code]);
    }
    if (s.plan.missing.counted != HoleRule::apart && ready.has_missing)
        set_holes(s, table.of(ready.n_codes), table.rows[ready.n_codes], scratch.holes);
    table.clear(ready.n_codes);
}

// Integers are summed, and sums of numbers centered on the mean of the node, so that nothing is lost before the
// node.end.
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

PieceRule piece_rule(const Scoring& s, const Totals& totals, double impurity, const Scratch& scratch) {
    const BlockSums& sums = scratch.intervals.sums;
    const std::string& name = s.plan.criterion.name;
    PieceRule rule;
    if (s.is_poisson) {
        rule.worth = PieceWorth::rates;
        rule.off = sums.parts[0].back() / sums.weight.back();
        rule.mean = s.mean_target(totals) + rule.off;
    }
    if (name == "entropy" || name == "c45" || s.is_ratio) rule.worth = PieceWorth::logs;
    if (name == "misclassification" || name == "zero_one") rule.worth = PieceWorth::largest;
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

// Whether rows of missing values are scored with a branch: the best one, or their own.
bool counts_holes(const Scoring& s, const Holes& holes) {
    return holes.rows > 0 && (s.plan.missing.counted == HoleRule::either || are_own_branch(s, holes));
}

// The pieces of largest gain over split information, or those that the test accepts.
Pieces best_pieces(const Scoring& s, const Totals& totals, double impurity, Scratch& scratch) {
    IntervalRoom& room = scratch.intervals;
    if (s.plan.cuts.intervals_by_mdlp) return mdlp_pieces(room.sums);
    const bool is_class = s.plan.target.is_class();
    const int width = static_cast<int>(s.factor.size());
    const std::vector<double> parent = stats_of_all(room.sums, is_class);
    const double mean = is_class ? 0.0 : s.mean_target(totals);
    const double share = counts_holes(s, scratch.holes) ? 1.0 : room.sums.weight.back() / s.mass(totals);
    Pieces best;
    double top = 0.0;
    for (Pieces& pieces : optimal_pieces(s.plan.cuts.intervals, piece_rule(s, totals, impurity, scratch), room)) {
        const std::vector<double> sides = stats_of(pieces, room.sums, is_class);
        const SplitStats split{parent.data(), sides.data(), static_cast<int>(pieces.size()), width, 0.0, nullptr, mean};
        const double bits = split_information(split, !is_class);
        if (!(bits > LEAST_BITS)) continue;
        const double ratio = pieces_gain(s, split) * share / bits;
        if (ratio - top > SLIGHT) top = ratio, best = std::move(pieces);
    }
    return best;
}

// What pieces come to as branches.
struct PieceSplit {
    int width;
    std::vector<double> parent, sides;
    std::vector<double> holes = {};  // rows of missing values that count
    double share = 1.0;              // of the weight that counts
    double unknown = 0.0;            // the rest of it
    double mean = 0.0;               // numbers: the mean of the node

    SplitStats stats() const {
        return {parent.data(), sides.data(), static_cast<int>(sides.size()) / width, width, unknown, nullptr, mean};
    }
};

// Rows of missing values that are a branch of their own join the branches at once.
void add_holes(const Scoring& s, const Totals& totals, Holes& holes, PieceSplit& split) {
    split.holes.resize(2 * split.width);
    set_side(s, holes, split.holes.data(), totals);
    split.holes.resize(split.width);
    for (int k = 0; k < split.width; ++k) split.parent[k] += split.holes[k];
    holes.is_scored = s.plan.missing.counted == HoleRule::branch;
    if (holes.is_scored) split.sides.insert(split.sides.end(), split.holes.begin(), split.holes.end());
}

// Rows of missing values are tried in every branch, the heaviest first.
void try_holes(const Scoring& s, const std::vector<std::int64_t>& weight, double impurity, PieceSplit& split,
               Candidate& out) {
    std::vector<int> order(weight.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
    const std::vector<double> known = split.sides;
    std::vector<double> best;
    out.score = -std::numeric_limits<double>::infinity();
    for (const int b : order) {
        split.sides = known;
        for (int k = 0; k < split.width; ++k) split.sides[b * split.width + k] += split.holes[k];
        const double score = s.criterion->score(split.stats());
        if (!(score - out.score > s.tolerance(impurity))) continue;
        out.score = score;
        out.missing_branch = b;
        best = split.sides;
    }
    split.sides = std::move(best);
}

void judge_pieces(const Scoring& s, const Pieces& pieces, const Totals& totals, double impurity, Scratch& scratch,
                  Candidate& out) {
    const IntervalRoom& room = scratch.intervals;
    const std::vector<std::int64_t> weight = weights_of(pieces, room, s.least(0, false));
    if (weight.empty()) return;
    const bool is_class = s.plan.target.is_class();
    PieceSplit split{static_cast<int>(s.factor.size()), stats_of_all(room.sums, is_class),
                     stats_of(pieces, room.sums, is_class)};
    if (!is_class) split.mean = s.mean_target(totals);
    if (counts_holes(s, scratch.holes)) {
        add_holes(s, totals, scratch.holes, split);
    } else if (room.groups.known < totals.rows) {
        split.share = room.sums.weight.back() / s.mass(totals);
        split.unknown = s.mass(totals) - room.sums.weight.back();
    }
    if (!split.holes.empty() && s.plan.missing.counted == HoleRule::either)
        try_holes(s, weight, impurity, split, out);
    else
        out.score = s.criterion->score(split.stats());
    out.type = Candidate::Type::cut;
    out.n_branches = static_cast<std::int32_t>(pieces.size());
    out.information = split_information(split.stats(), !is_class);
    s.finish(out, split.share, 1, totals);
    if (is_class && !s.criterion->is_impurity()) out.gain = s.criterion->decrease(split.stats()) * split.share;
    if (!(out.score > s.tolerance(impurity))) out.type = Candidate::Type::none;
}

// The cuts between the pieces.
void name_cuts(const Scoring& s, const AnyBlock& block, const Pieces& pieces, const IntervalRoom& room,
               Candidate& out) {
    const ReadyColumn& ready = s.columns[out.column];
    const std::vector<std::uint32_t>& key = room.groups.key;
    const auto value = [&](int group) {
        if (ready.is_listed) return s.plan.columns[out.column].reals[block.row_of[key[group]]];
        return ready.high_of(key[group]);
    };
    Cuts cuts;
    std::int64_t rows = 0;
    int group = 0;
    for (std::size_t b = 0; b + 1 < pieces.size(); ++b) {
        for (; group <= room.ends[pieces[b]]; ++group) rows += room.groups.rows[group];
        cuts.at.push_back(midpoint(value(group - 1), value(group)));
        cuts.below.push_back(static_cast<std::int32_t>(rows));
    }
    if (pieces.size() > 2) {
        out.cuts = std::make_shared<const Cuts>(std::move(cuts));
        return;
    }
    out.below = cuts.below[0];
    out.code = ready.is_listed ? 0 : key[group - 1];
    out.low = value(group - 1);
    out.high = value(group);
    out.is_midpoint = true;
}

}  // namespace

Candidate best_intervals(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    out.rank = Candidate::INTERVALS_RANK;
    IntervalRoom& room = scratch.intervals;
    if (s.columns[column].is_listed) {
        group_list(s, node, column, scratch);
    } else {
        count_codes(s, node, column, span, scratch.codes);
        group_codes(s, column, scratch);
    }
    if (room.groups.size() < 2) return out;
    out.type = Candidate::Type::none;
    room.groups.find_blocks(s.factor, room.ends);
    if (room.ends.size() < 2) return out;
    sum_blocks(s, node.totals, room);
    const Pieces pieces = best_pieces(s, node.totals, node.impurity, scratch);
    if (pieces.size() < 2) return out;
    judge_pieces(s, pieces, node.totals, node.impurity, scratch, out);
    if (out.found()) name_cuts(s, node.block, pieces, room, out);
    return out;
}

}  // namespace hornbeam
