// Several intervals of a numeric or ordinal column at once: the rows of a node become groups of equal values, the
// groups blocks, the blocks pieces (searches/intervals.hpp), and the pieces branches. A column cut in two is a cut like
// any other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/midpoint.hpp"
#include "growing/search.hpp"

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

}  // namespace

Candidate ColumnSearch::best_into_many(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                       double impurity, std::int32_t column, Span span, Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    const auto into_many = [&] { return best_intervals(block, begin, end, totals, impurity, column, span, scratch); };
    if (ready.kind != Kind::nominal && !plan_.intervals_and_cuts) return into_many();
    Candidate out = ready.is_listed ? best_listed(block, begin, end, totals, impurity, column, scratch)
                                    : best_coded(block, begin, end, totals, impurity, column, span, scratch);
    if (ready.kind != Kind::nominal) out.second = std::make_shared<Candidate>(into_many());
    return out;
}

Candidate ColumnSearch::best_intervals(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                       double impurity, std::int32_t column, Span span, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    IntervalRoom& room = scratch.intervals;
    if (columns_[column].is_listed)
        group_list(block, begin, end, column, scratch);
    else
        group_codes(block, begin, end, totals, column, span, scratch);
    if (room.groups.size() < 2) return out;
    out.type = Candidate::Type::none;
    room.groups.find_blocks(factor_, room.ends);
    if (room.ends.size() < 2) return out;
    sum_blocks(totals, room);
    const Pieces pieces = best_pieces(totals, impurity, scratch);
    if (pieces.size() < 2) return out;
    judge_pieces(pieces, totals, impurity, scratch, out);
    if (out.found()) name_cuts(block, pieces, room, out);
    return out;
}

void ColumnSearch::group_list(AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column,
                              Scratch& scratch) const {
    const bool is_class = plan_.target.is_class();
    ValueGroups& groups = scratch.intervals.groups;
    groups.clear(static_cast<int>(factor_.size()), is_class);
    const std::int32_t n = end - begin;
    const auto take = [&](const auto* list) {
        using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
        for (std::int32_t i = 0; i < n && rank_of(list[i]) != NO_RANK<Entry>; ++i) {
            const std::uint32_t row = row_of(list[i]);
            if (i == 0 || rank_of(list[i]) != rank_of(list[i - 1])) {
                groups.counts.resize(groups.counts.size() + groups.width, 0);
                groups.rows.push_back(0);
                groups.key.push_back(row);
            }
            std::int64_t* counts = groups.counts.data() + groups.counts.size() - groups.width;
            const std::int64_t w = block.weights.empty() ? 1 : block.weights[row];
            ++groups.known;
            ++groups.rows.back();
            counts[is_class ? block.classes[row] : 0] += w;
            if (!is_class) counts[1] += block.sums[row];
        }
        if (plan_.missing_counted == HoleRule::apart || groups.known == n) return;
        scratch.touched.clear();
        for (auto i = static_cast<std::int32_t>(groups.known); i < n; ++i) scratch.touched.push_back(row_of(list[i]));
        set_holes(block, scratch.touched, scratch.holes);
    };
    if (block.is_wide)
        take(static_cast<Block<std::uint64_t>&>(block).list(column) + begin);
    else
        take(static_cast<Block<std::uint32_t>&>(block).list(column) + begin);
}

void ColumnSearch::group_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                               std::int32_t column, Span span, Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    CodeTable& table = scratch.codes;
    ValueGroups& groups = scratch.intervals.groups;
    groups.clear(static_cast<int>(factor_.size()), plan_.target.is_class());
    count_codes(block, begin, end, totals, column, span, table);
    groups.known = table.known;
    groups.key = table.present;
    for (const std::uint32_t code : table.present) {
        groups.counts.insert(groups.counts.end(), table.of(code), table.of(code) + table.width);
        groups.rows.push_back(table.rows[code]);
    }
    if (plan_.missing_counted != HoleRule::apart && ready.has_missing)
        set_holes(table.of(ready.n_codes), table.rows[ready.n_codes], scratch.holes);
    table.clear(ready.n_codes);
}

// Integers are summed, and sums of numbers centered on the mean of the node, so that nothing is lost before the end.
void ColumnSearch::sum_blocks(const Totals& totals, IntervalRoom& room) const {
    const ValueGroups& groups = room.groups;
    const bool is_class = groups.is_class;
    BlockSums& sums = room.sums;
    sums.weight.assign(1, 0.0);
    sums.parts.resize(is_class ? groups.width : 1);
    for (auto& part : sums.parts) part.assign(1, 0.0);
    std::vector<std::int64_t> before(groups.width, 0);
    int group = 0;
    for (const int end : room.ends) {
        for (; group <= end; ++group)
            for (int k = 0; k < groups.width; ++k) before[k] += groups.of(group)[k];
        if (!is_class) {
            sums.weight.push_back(static_cast<double>(before[0]) * factor_[0]);
            sums.parts[0].push_back(totals.center().of(before[0], before[1]) * factor_[1]);
            continue;
        }
        double weight = 0.0;
        for (int k = 0; k < groups.width; ++k) {
            sums.parts[k].push_back(static_cast<double>(before[k]) * factor_[k]);
            weight += sums.parts[k].back();
        }
        sums.weight.push_back(weight);
    }
}

PieceRule ColumnSearch::piece_rule(const Totals& totals, double impurity, const Scratch& scratch) const {
    const BlockSums& sums = scratch.intervals.sums;
    const std::string& name = plan_.criterion;
    PieceRule rule;
    if (is_poisson_) {
        rule.worth = PieceWorth::rates;
        rule.off = sums.parts[0].back() / sums.weight.back();
        rule.mean = mean_target(totals) + rule.off;
    }
    if (name == "entropy" || name == "c45" || is_ratio_) rule.worth = PieceWorth::logs;
    if (name == "misclassification" || name == "zero_one") rule.worth = PieceWorth::largest;
    if (plan_.target.is_class()) {
        const std::vector<double> all = stats_of_all(sums, true);
        impurity = criterion_->impurity(all.data(), static_cast<int>(all.size()));
    }
    rule.slack = SLIGHT * std::max(sums.weight.back() * impurity, 1e-300);
    const Target& target = plan_.target;
    const bool counts_rows = target.weights.empty() && target.class_scale.empty() && target.weight_unit == 1.0;
    if (rule.worth == PieceWorth::logs && counts_rows && !small_logs_.values.empty()) {
        const LogTable& table = logs(totals.weight);
        rule.logs = table.values.data();
        rule.log_unit = table.unit;
    }
    return rule;
}

double ColumnSearch::pieces_gain(const SplitStats& split) const {
    return plan_.target.is_class() ? criterion_->decrease(split) : criterion_->score(split);
}

// The pieces of largest gain over split information, or those that the test accepts.
Pieces ColumnSearch::best_pieces(const Totals& totals, double impurity, Scratch& scratch) const {
    IntervalRoom& room = scratch.intervals;
    if (plan_.intervals_by_mdlp) return mdlp_pieces(room.sums);
    const bool is_class = plan_.target.is_class();
    const int width = static_cast<int>(factor_.size());
    const std::vector<double> parent = stats_of_all(room.sums, is_class);
    const double mean = is_class ? 0.0 : mean_target(totals);
    const double share = counts_holes(scratch.holes) ? 1.0 : room.sums.weight.back() / mass(totals);
    Pieces best;
    double top = 0.0;
    for (Pieces& pieces : optimal_pieces(plan_.intervals, piece_rule(totals, impurity, scratch), room)) {
        const std::vector<double> sides = stats_of(pieces, room.sums, is_class);
        const SplitStats split{parent.data(), sides.data(), static_cast<int>(pieces.size()), width, 0.0, nullptr, mean};
        const double bits = split_information(split, !is_class);
        if (!(bits > LEAST_BITS)) continue;
        const double ratio = pieces_gain(split) * share / bits;
        if (ratio - top > SLIGHT) top = ratio, best = std::move(pieces);
    }
    return best;
}

// Whether rows of missing values are scored with a branch: the best one, or their own.
bool ColumnSearch::counts_holes(const Holes& holes) const {
    return holes.rows > 0 && (plan_.missing_counted == HoleRule::either || are_own_branch(holes));
}

// What pieces come to as branches.
struct ColumnSearch::PieceSplit {
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

void ColumnSearch::judge_pieces(const Pieces& pieces, const Totals& totals, double impurity, Scratch& scratch,
                                Candidate& out) const {
    const IntervalRoom& room = scratch.intervals;
    const std::vector<std::int64_t> weight = weights_of(pieces, room, least(0, false));
    if (weight.empty()) return;
    const bool is_class = plan_.target.is_class();
    PieceSplit split{static_cast<int>(factor_.size()), stats_of_all(room.sums, is_class),
                     stats_of(pieces, room.sums, is_class)};
    if (!is_class) split.mean = mean_target(totals);
    if (counts_holes(scratch.holes)) {
        add_holes(totals, scratch.holes, split);
    } else if (room.groups.known < totals.rows) {
        split.share = room.sums.weight.back() / mass(totals);
        split.unknown = mass(totals) - room.sums.weight.back();
    }
    if (!split.holes.empty() && plan_.missing_counted == HoleRule::either)
        try_holes(weight, impurity, split, out);
    else
        out.score = criterion_->score(split.stats());
    out.type = Candidate::Type::cut;
    out.n_branches = static_cast<std::int32_t>(pieces.size());
    out.information = split_information(split.stats(), !is_class);
    finish(out, split.share, 1, totals);
    if (is_class && !criterion_->is_impurity()) out.gain = criterion_->decrease(split.stats()) * split.share;
    if (!(out.score > tolerance(impurity))) out.type = Candidate::Type::none;
}

// Rows of missing values that are a branch of their own join the branches at once.
void ColumnSearch::add_holes(const Totals& totals, Holes& holes, PieceSplit& split) const {
    split.holes.resize(2 * split.width);
    set_side(holes, split.holes.data(), totals);
    split.holes.resize(split.width);
    for (int k = 0; k < split.width; ++k) split.parent[k] += split.holes[k];
    holes.is_scored = plan_.missing_counted == HoleRule::branch;
    if (holes.is_scored) split.sides.insert(split.sides.end(), split.holes.begin(), split.holes.end());
}

// Rows of missing values are tried in every branch, the heaviest first.
void ColumnSearch::try_holes(const std::vector<std::int64_t>& weight, double impurity, PieceSplit& split,
                             Candidate& out) const {
    std::vector<int> order(weight.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
    const std::vector<double> known = split.sides;
    std::vector<double> best;
    out.score = -std::numeric_limits<double>::infinity();
    for (const int b : order) {
        split.sides = known;
        for (int k = 0; k < split.width; ++k) split.sides[b * split.width + k] += split.holes[k];
        const double score = criterion_->score(split.stats());
        if (!(score - out.score > tolerance(impurity))) continue;
        out.score = score;
        out.missing_branch = b;
        best = split.sides;
    }
    split.sides = std::move(best);
}

// The cuts between the pieces.
void ColumnSearch::name_cuts(const AnyBlock& block, const Pieces& pieces, const IntervalRoom& room,
                             Candidate& out) const {
    const ReadyColumn& ready = columns_[out.column];
    const std::vector<std::uint32_t>& key = room.groups.key;
    const auto value = [&](int group) {
        if (ready.is_listed) return plan_.columns[out.column].reals[block.row_of[key[group]]];
        return ready.kind == Kind::numeric ? ready.values[key[group]] : static_cast<double>(key[group]);
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
}

}  // namespace hornbeam
