#include "boosting/gradient_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/portable.hpp"
#include "searches/cut.hpp"

namespace hornbeam {
namespace {

constexpr double NOT_ALLOWED = -std::numeric_limits<double>::infinity();

// S(left) + S(right) of many cuts, with a common denominator.
struct CutScores {
    double all_g, all_h, l1, l2;
};
HORNBEAM_CLONES void score_cuts(const double* g, const double* h, int n, CutScores of, double* score) {
    for (int i = 0; i < n; ++i) {
        const double left = std::fabs(g[i]) - of.l1, right = std::fabs(of.all_g - g[i]) - of.l1;
        const double a = left > 0 ? left : 0.0, b = right > 0 ? right : 0.0;
        const double below = h[i] + of.l2, above = of.all_h - h[i] + of.l2;
        score[i] = (a * a * above + b * b * below) / (below * above);
    }
}

HORNBEAM_CLONES double largest(const double* score, int n) {
    double top[4] = {NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int lane = 0; lane < 4; ++lane) top[lane] = top[lane] < score[i + lane] ? score[i + lane] : top[lane];
    for (; i < n; ++i) top[0] = top[0] < score[i] ? score[i] : top[0];
    return std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
}

double tie_threshold(double best) { return best - NEAR * std::fabs(best); }

}  // namespace

void GradientSearch::set_units(const Units& units) {
    leaf_.units = units;
    // The smallest number of units at or above the bound; if l2 is 0, a side needs a hessian above 0.
    constexpr double LARGER_THAN_ANY_SUM = 0x1p60;  // larger than any sum: no node is split
    const double minimum = std::ceil(regular_.min_hessian / units.h);
    min_hessian_ = static_cast<std::int64_t>(std::min(minimum, LARGER_THAN_ANY_SUM));
    if (minimum < LARGER_THAN_ANY_SUM && static_cast<double>(min_hessian_) * units.h < regular_.min_hessian)
        ++min_hessian_;
    if (regular_.l2 <= 0) min_hessian_ = std::max<std::int64_t>(min_hessian_, 1);
}

// H_side / H_node >= (min_weighted_rows - 1/2) / rows of the node, in integers, up to a relative error of 2^-30: second
// derivatives are rounded, and weights can make both sides equal.
std::int64_t GradientSearch::min_child_hessian(const Sums& node) const {
    const auto twice = static_cast<Wide>(2 * units().rows(node.hc));
    const auto min_part = static_cast<std::int64_t>(
        (static_cast<Wide>(2 * regular_.min_weighted_rows - 1) * (node.hc >> units().count_bits) + twice - 1) / twice);
    return std::max(min_hessian_, min_part - (min_part >> 30));
}

double GradientSearch::score_sides(const OrderedBins& bins, const NodeRule& node, const Sums& left, double l2) const {
    const Sums right = node.sums - left;
    const int direction = regular_.monotone_direction(bins.column);
    if (direction != 0 && table_.columns[bins.column].kind != Kind::nominal &&
        direction * (leaf_.value(right, node.bound, l2) - leaf_.value(left, node.bound, l2)) < 0)
        return NOT_ALLOWED;
    return leaf_.bounded_score(left, node.bound, l2) + leaf_.bounded_score(right, node.bound, l2);
}

double GradientSearch::gain(const GradientSplit& split, const Sums& node, const Bound& bound) const {
    const double own = bound.is_free() ? leaf_.score(node) : leaf_.bounded_score(node, bound, regular_.l2);
    return (split.score - own) / 2 - regular_.gamma;
}

// The scores of the cuts after the first i + 1 of the ordered bins; `start` is on the left side of all cuts. Rows and
// hessian increase from cut to cut, so the cuts with large enough sides are contiguous.
GradientSearch::ScoredCuts GradientSearch::scan(const OrderedBins& bins, const NodeRule& node, const Sums& start,
                                                SearchScratch& s, std::vector<double>& score) const {
    const int count = bins.n_cuts;
    if (static_cast<int>(s.g.size()) < count) s.g.resize(count), s.h.resize(count);
    if (static_cast<int>(score.size()) < count) score.resize(count);
    const Units& unit = units();
    const int bits = unit.count_bits;
    const std::int64_t mask = (std::int64_t{1} << bits) - 1, min_rows = regular_.min_rows;
    const std::int64_t min_h = node.min_child_hessian;
    const std::int64_t max_rows = (node.sums.hc & mask) - min_rows, max_h = (node.sums.hc >> bits) - min_h;
    const double g_unit = unit.g, h_unit = unit.h, l2 = bins.order ? l2_of_levels(bins.column) : regular_.l2;
    double *g = s.g.data(), *h = s.h.data();
    Sums sum = start;
    int i = 0, n = 0;
    for (; i < count; ++i) {
        sum = sum + bins.at(i);
        if ((sum.hc & mask) >= min_rows && (sum.hc >> bits) >= min_h) break;
    }
    const int first = i;
    if (first == count) return {};
    const bool is_bound = !node.bound.is_free() || regular_.monotone_direction(bins.column) != 0;
    while ((sum.hc & mask) <= max_rows && (sum.hc >> bits) <= max_h) {
        g[n] = static_cast<double>(sum.g) * g_unit;
        h[n] = static_cast<double>(sum.hc >> bits) * h_unit;
        if (is_bound) score[n] = score_sides(bins, node, sum, l2);
        ++n;
        if (++i == count) break;
        sum = sum + bins.at(i);
    }
    if (!is_bound)
        score_cuts(g, h, n, {unit.gradient(node.sums.g), unit.hessian(node.sums.hc), regular_.l1, l2}, score.data());
    return {first, n, score.data()};
}

void GradientSearch::order_levels(const std::int64_t* cells, std::int32_t column,
                                  std::vector<std::int32_t>& out) const {
    out.clear();
    const auto n_bins = static_cast<std::int32_t>(table_.columns[column].n_bins);
    for (std::int32_t code = 0; code < n_bins; ++code)
        if (cells[2 * code + 1] != 0) out.push_back(code);
    const auto rate = [&](std::int32_t code) {
        const double h = units().hessian(cells[2 * code + 1]) + regular_.categorical_smoothing;
        return h > 0 ? units().gradient(cells[2 * code]) / h : 0.0;
    };
    std::stable_sort(out.begin(), out.end(), [&](std::int32_t a, std::int32_t b) { return rate(a) < rate(b); });
}

GradientSearch::OrderedBins GradientSearch::ordered(const std::int64_t* cells, std::int32_t column,
                                                    SearchScratch& s) const {
    const BinnedColumn& of = table_.columns[column];
    OrderedBins out{column, cells, nullptr, static_cast<int>(of.n_bins) - 1};
    if (of.kind == Kind::nominal) {
        order_levels(cells, column, s.order);
        out.order = s.order.data();
        out.n_cuts = static_cast<int>(s.order.size()) - 1;
    }
    if (of.has_missing) out.missing = {cells[2 * of.n_bins], cells[2 * of.n_bins + 1]};
    return out;
}

// Scores the rows with a missing value, in branch 0, against the others; monotone constraints do not apply to it.
double GradientSearch::score_of_missing(const OrderedBins& bins, const NodeRule& node) const {
    const Sums known = node.sums - bins.missing;
    const auto is_large_enough = [&](const Sums& side) {
        return units().rows(side.hc) >= regular_.min_rows && (side.hc >> units().count_bits) >= node.min_child_hessian;
    };
    if (bins.missing.hc == 0 || !is_large_enough(bins.missing) || !is_large_enough(known)) return NOT_ALLOWED;
    return leaf_.bounded_score(bins.missing, node.bound, regular_.l2) +
           leaf_.bounded_score(known, node.bound, regular_.l2);
}

GradientSplit GradientSearch::best(const std::int64_t* cells, std::int32_t column, const Sums& sums, const Bound& bound,
                                   std::int64_t min_child_hessian, SearchScratch& s) const {
    const NodeRule node{sums, bound, min_child_hessian};
    const OrderedBins bins = ordered(cells, column, s);
    ScoredCuts right, left;  // the cuts with the missing values on that side
    if (bins.n_cuts > 0) {
        right = scan(bins, node, {}, s, s.score);
        if (bins.missing.hc != 0) left = scan(bins, node, bins.missing, s, s.other);
    }
    const double of_missing = score_of_missing(bins, node);
    const double best_score = std::max({largest(right.score, right.n), largest(left.score, left.n), of_missing});
    GradientSplit out;
    out.column = column;
    if (best_score == NOT_ALLOWED) return out;
    const double threshold = tie_threshold(best_score);
    if (right.first_above(threshold) >= 0 || left.first_above(threshold) >= 0)
        return first_split(bins, sums, right, left, threshold);
    out.kind = SplitKind::is_missing;
    out.left = bins.missing;
    out.missing_left = true;
    out.score = of_missing;
    return out;
}

// The first cut that reaches a score, and the side of the missing values: if both sides do, the majority branch.
GradientSplit GradientSearch::first_split(const OrderedBins& bins, const Sums& node, const ScoredCuts& right,
                                          const ScoredCuts& left, double threshold) const {
    const int at_right = right.first_above(threshold), at_left = left.first_above(threshold);
    const bool fits_left = at_left >= 0 && (at_right < 0 || at_left <= at_right);
    const bool fits_right = at_right >= 0 && (at_left < 0 || at_right <= at_left);
    const int at = fits_right ? at_right : at_left;
    GradientSplit out;
    out.column = bins.column;
    out.kind = bins.order ? SplitKind::levels : SplitKind::cut;
    out.length = bins.order ? at + 1 : at;
    Sums below;
    for (int i = 0; i <= at; ++i) below = below + bins.at(i);
    const Sums above = node - bins.missing - below;
    const bool has_missing = bins.missing.hc != 0,
               is_left_majority = units().hessian(below.hc) >= units().hessian(above.hc);
    out.missing_left =
        has_missing ? fits_left && (!fits_right || is_left_majority) : units().rows(below.hc) >= units().rows(above.hc);
    out.left = out.missing_left ? below + bins.missing : below;
    const ScoredCuts& side_scores = has_missing && out.missing_left ? left : right;
    out.score = side_scores.score[at - side_scores.first];
    return out;
}

}  // namespace hornbeam
