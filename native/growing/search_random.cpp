// One random question per column: its range, its sample and its score.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/midpoint.hpp"
#include "growing/quantile_search.hpp"
#include "growing/random_question.hpp"
#include "growing/search.hpp"
#include "growing/side_search.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"

namespace hornbeam {
namespace {

// Stores both sides of a cut as a table of two levels.
bool fill_sides(const Scoring& s, const NodeView& node, std::int32_t column, double cut, Scratch& scratch) {
    const double* reals = s.plan.columns[column].reals.in_a_row();
    scratch.sides.resize(node.rows());
    for (std::int32_t i = 0; i < node.rows(); ++i) {
        double x = reals[node.block.row_of[node.block.order[node.begin + i]]];
        if (std::isnan(x)) x = scratch.imputed.value;
        scratch.sides[i] = x <= cut ? 0 : x > cut ? 1 : -1;
    }
    return fill_branches(s, node, scratch.sides, scratch);
}

// Scores a random question from the branches of the levels of a table.
void score_levels(const Scoring& s, const NodeView& node, const RandomQuestion& sampled,
                  std::vector<std::int32_t> branch, const LevelTable& table, Candidate& out) {
    const bool is_cut = s.columns[out.column].kind != Kind::nominal;
    TwoSides sides(table, *s.criterion);
    for (int i = 0; i < table.size(); ++i)
        if (branch[i] == 0) sides.add(i);
    const double known = table.mass();
    const double fraction = known / (known + table.unknown);
    LevelLimits limits;
    limits.min_size = s.fixed_min_size;
    limits.tolerance = s.tolerance(node.impurity) / fraction;
    int tried = 0;
    const GroupingScore scored = sides.best_score(limits, tried);
    if (!scored.is_allowed) return;
    out.score = scored.score;
    out.missing_branch = scored.missing;
    if (!table.own.empty()) out.own = OwnBranch::scored;
    if (s.needs_information) out.information = grouping_information(table, branch, out);
    out.type = is_cut ? Candidate::Type::cut : Candidate::Type::map;
    if (is_cut) {
        out.low = sampled.cut;
        out.high = std::numeric_limits<double>::infinity();  // the cut is the sampled value, no midpoint
    } else {
        out.groups = std::make_shared<Grouping>();
        out.groups->levels = table.present;
        out.groups->branch = std::move(branch);
    }
    s.finish(out, fraction, tried, node.totals);
}

// Whether some values of a node are missing and others known, if missing values count in scores.
bool has_some_missing(const Scoring& s, const NodeView& node, std::int32_t column) {
    if (s.plan.missing.mode == MissingMode::apart) return false;
    const SourceColumn& source = s.plan.columns[column];
    const std::uint32_t* order = node.block.order.data();
    const bool first = source.is_missing(node.block.row_of[order[node.begin]]);
    return std::any_of(order + node.begin, order + node.end,
                       [&](std::uint32_t row) { return source.is_missing(node.block.row_of[row]) != first; });
}

}  // namespace

QuestionRange question_range(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    QuestionRange out;
    out.is_mixed = has_some_missing(s, node, column);
    if (!s.columns[column].is_plain) {
        CodeTable& table = scratch.codes;
        count_codes(s, node, column, {}, table);
        out.n_levels = static_cast<std::int32_t>(table.present.size());
        out.varies = out.n_levels > 1;
        if (out.varies) out.low = table.present.front(), out.high = table.present.back();
        table.clear(s.columns[column].n_codes);
        return out;
    }
    const double* reals = s.plan.columns[column].reals.in_a_row();
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const double x = reals[node.block.row_of[node.block.order[i]]];  // comparisons with NaN are false
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    out.varies = low < high;
    out.low = low, out.high = high;
    return out;
}

RandomQuestion sample_question(const Scoring& s, const QuestionRange& range, std::int32_t column, Stream& stream) {
    RandomQuestion out;
    if (s.columns[column].kind != Kind::nominal) {
        const double cut = range.low + stream.uniform() * (range.high - range.low);
        out.cut = range.low <= cut && cut < range.high ? cut : finite_low(range.low, range.high);
        return out;
    }
    std::ptrdiff_t n_inside = 0;
    while (n_inside == 0 || n_inside == range.n_levels) {
        out.inside.resize(range.n_levels);
        for (std::int32_t i = 0; i < range.n_levels; ++i) out.inside[i] = stream.uniform() < 0.5;
        n_inside = std::count(out.inside.begin(), out.inside.end(), true);
    }
    return out;
}

namespace {

// Scores a random question at a node.
void score_sampled(const Scoring& s, const NodeView& node, const RandomQuestion& sampled, Scratch& scratch,
                   Candidate& out) {
    const std::int32_t column = out.column;
    const ReadyColumn& ready = s.columns[column];
    const bool is_cut = ready.kind != Kind::nominal;
    const LevelTable& table = scratch.levels;
    std::vector<std::int32_t> branch = {0, 1};
    const bool is_imputed = imputes(s, column);
    const double imputed = is_imputed ? imputed_value(s, node, column) : std::numeric_limits<double>::quiet_NaN();
    scratch.imputed.value = imputed;
    if (ready.is_plain) {
        if (!fill_sides(s, node, column, sampled.cut, scratch)) return;
    } else {
        if (s.plan.criterion.quantile >= 0) {
            fill_code_distributions(s, node, column, scratch);
        } else {
            count_codes(s, node, column, {}, scratch.codes);
            if (is_imputed) impute_codes(s, node, column, scratch);
            fill_levels(s, node.totals, ready.n_codes, scratch);
            scratch.codes.clear(ready.n_codes);
        }
        branch.resize(table.size());
        for (int i = 0; i < table.size(); ++i) branch[i] = is_cut ? table.present[i] > sampled.cut : !sampled.inside[i];
        if (!is_cut) make_canonical(branch);
    }
    add_missing_to_levels(s, node.totals, scratch);
    score_levels(s, node, sampled, std::move(branch), table, out);
    if (!out.found()) return;
    if (is_cut && !ready.is_plain) out.code = static_cast<std::uint32_t>(sampled.cut);
    if (is_imputed && is_cut) out.missing_branch = imputed > sampled.cut;
    if (is_imputed) direct_imputed(imputed, out);
}

}  // namespace

Candidate score_question(const Scoring& s, const NodeView& node, std::int32_t column, const RandomQuestion* sampled,
                         Scratch& scratch) {
    Candidate out;
    out.column = column;
    set_missing(s, node, column, scratch);
    if (sampled) score_sampled(s, node, *sampled, scratch, out);
    return out;
}

QuestionRange range_in_table(const Scoring& s, std::int32_t column, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    CodeTable& table = scratch.codes;
    QuestionRange out;
    out.n_levels = static_cast<std::int32_t>(table.present.size());
    out.varies = out.n_levels > 1;
    if (out.varies) out.low = ready.low_of(table.present.front()), out.high = ready.high_of(table.present.back());
    out.is_mixed = s.plan.missing.mode != MissingMode::apart && out.n_levels > 0 && table.rows[ready.n_codes] > 0;
    table.clear(ready.n_codes);
    return out;
}

namespace {

// Scores a random question from the sums per code in scratch.
void score_sampled_in_table(const Scoring& s, const NodeView& node, const RandomQuestion& sampled, Scratch& scratch,
                            Candidate& out) {
    const ReadyColumn& ready = s.columns[out.column];
    CodeTable& codes = scratch.codes;
    LevelTable& table = scratch.levels;
    if (ready.kind != Kind::numeric) {
        fill_levels(s, node.totals, ready.n_codes, scratch);
        std::vector<std::int32_t> branch(table.size());
        const bool is_cut = ready.kind == Kind::ordinal;
        for (int i = 0; i < table.size(); ++i) branch[i] = is_cut ? table.present[i] > sampled.cut : !sampled.inside[i];
        if (!is_cut) make_canonical(branch);
        add_missing_to_levels(s, node.totals, scratch);
        score_levels(s, node, sampled, std::move(branch), table, out);
        if (is_cut) out.code = static_cast<std::uint32_t>(sampled.cut);
        return;
    }
    // The last code below the cut; the bin that contains the cut is above it, unless it is the first.
    std::size_t below = 0;
    while (below + 2 < codes.present.size() && ready.high_of(codes.present[below + 1]) <= sampled.cut) ++below;
    const double low = ready.high_of(codes.present[below]), high = ready.low_of(codes.present[below + 1]);
    RandomQuestion moved = sampled;
    if (sampled.cut < low || sampled.cut >= high) moved.cut = midpoint(low, high);
    // Both sides become codes; their integer sums are exact.
    const std::size_t width = codes.width;
    std::vector<std::int64_t> counts(3 * width, 0), rows(3, 0);
    const auto add = [&](std::uint32_t code, std::size_t side) {
        rows[side] += codes.rows[code];
        for (std::size_t k = 0; k < width; ++k) counts[side * width + k] += codes.of(code)[k];
    };
    for (std::size_t i = 0; i < codes.present.size(); ++i) add(codes.present[i], i > below);
    add(ready.n_codes, 2);
    out.code = codes.present[below];
    codes.clear(ready.n_codes);
    codes.reserve(2, codes.width);
    std::copy(counts.begin(), counts.end(), codes.counts.begin());
    std::copy(rows.begin(), rows.end(), codes.rows.begin());
    fill_two_levels(s, node.totals, scratch);
    add_missing_to_levels(s, node.totals, scratch);
    score_levels(s, node, moved, {0, 1}, table, out);
}

}  // namespace

Candidate score_in_table(const Scoring& s, const NodeView& node, std::int32_t column, const RandomQuestion* sampled,
                         Scratch& scratch) {
    const std::uint32_t n_codes = s.columns[column].n_codes;
    Candidate out;
    out.column = column;
    scratch.missing = MissingStats{};
    if (s.plan.missing.mode != MissingMode::apart)
        set_missing(s, scratch.codes.of(n_codes), scratch.codes.rows[n_codes], scratch.missing);
    if (sampled) score_sampled_in_table(s, node, *sampled, scratch, out);
    scratch.codes.clear(n_codes);
    consider_missing(s, node.totals, node.impurity, scratch.missing, out);
    return out;
}

}  // namespace hornbeam
