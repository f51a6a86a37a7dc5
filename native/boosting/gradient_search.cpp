#include "boosting/gradient_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/portable.hpp"
#include "searches/cut.hpp"

namespace hornbeam {
namespace {

constexpr double BARRED = -std::numeric_limits<double>::infinity();

// S(left) + S(right) of many cuts over one denominator.
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
    double top[4] = {BARRED, BARRED, BARRED, BARRED};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int lane = 0; lane < 4; ++lane) top[lane] = top[lane] < score[i + lane] ? score[i + lane] : top[lane];
    for (; i < n; ++i) top[0] = top[0] < score[i] ? score[i] : top[0];
    return std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
}

double nearly(double best) { return best - NEAR * std::fabs(best); }

}  // namespace

void GradientSearch::set_units(const Units& units) {
    leaf_.units = units;
    // The least whole number of units that reaches the bound; without l2 a side needs some hessian at all.
    constexpr double MOST = 0x1p60;  // no sum reaches this: nothing is split
    const double least = std::ceil(regular_.min_hessian / units.h);
    least_hessian_ = static_cast<std::int64_t>(std::min(least, MOST));
    if (least < MOST && static_cast<double>(least_hessian_) * units.h < regular_.min_hessian) ++least_hessian_;
    if (regular_.l2 <= 0) least_hessian_ = std::max<std::int64_t>(least_hessian_, 1);
}

// H_side / H_node >= (min_weighted_rows - 1/2) / rows of the node, in whole numbers.
std::int64_t GradientSearch::least_hessian(const Sums& node) const {
    const auto twice = static_cast<Wide>(2 * units().rows(node.hc));
    const Wide share =
        (static_cast<Wide>(2 * regular_.min_weighted_rows - 1) * (node.hc >> units().count_bits) + twice - 1) / twice;
    return std::max(least_hessian_, static_cast<std::int64_t>(share));
}

double GradientSearch::both(const OrderedBins& bins, const NodeRule& node, const Sums& left, double l2) const {
    const Sums right = node.sums - left;
    const int rises = regular_.rises(bins.column);
    if (rises != 0 && table_.columns[bins.column].kind != Kind::nominal &&
        rises * (leaf_.value(right, node.bound, l2) - leaf_.value(left, node.bound, l2)) < 0)
        return BARRED;
    return leaf_.bounded_score(left, node.bound, l2) + leaf_.bounded_score(right, node.bound, l2);
}

double GradientSearch::gain(const GradientSplit& split, const Sums& node, const Bound& bound) const {
    const double own = bound.is_free() ? leaf_.score(node) : leaf_.bounded_score(node, bound, regular_.l2);
    return (split.score - own) / 2 - regular_.gamma;
}

// The scores of the cuts behind the first i + 1 of the ordered bins, `start` standing left of all of them. Rows and
// hessian only grow from cut to cut, so those that leave enough on both sides stand side by side.
GradientSearch::ScoredCuts GradientSearch::scan(const OrderedBins& bins, const NodeRule& node, const Sums& start,
                                                SearchScratch& s, std::vector<double>& score) const {
    const int count = bins.n_cuts;
    if (static_cast<int>(s.g.size()) < count) s.g.resize(count), s.h.resize(count);
    if (static_cast<int>(score.size()) < count) score.resize(count);
    const Units& unit = units();
    const int bits = unit.count_bits;
    const std::int64_t mask = (std::int64_t{1} << bits) - 1, least_rows = regular_.min_rows;
    const std::int64_t least_h = node.least_hessian;
    const std::int64_t most_rows = (node.sums.hc & mask) - least_rows, most_h = (node.sums.hc >> bits) - least_h;
    const double g_unit = unit.g, h_unit = unit.h, l2 = bins.order ? l2_of_levels(bins.column) : regular_.l2;
    double *g = s.g.data(), *h = s.h.data();
    Sums sum = start;
    int i = 0, n = 0;
    for (; i < count; ++i) {
        sum = sum + bins.at(i);
        if ((sum.hc & mask) >= least_rows && (sum.hc >> bits) >= least_h) break;
    }
    const int first = i;
    if (first == count) return {};
    const bool is_bound = !node.bound.is_free() || regular_.rises(bins.column) != 0;
    while ((sum.hc & mask) <= most_rows && (sum.hc >> bits) <= most_h) {
        g[n] = static_cast<double>(sum.g) * g_unit;
        h[n] = static_cast<double>(sum.hc >> bits) * h_unit;
        if (is_bound) score[n] = both(bins, node, sum, l2);
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

// The missing rows, in branch 0, against the rest; a monotone column says nothing about them.
double GradientSearch::score_of_missing(const OrderedBins& bins, const NodeRule& node) const {
    const Sums known = node.sums - bins.missing;
    const auto is_enough = [&](const Sums& side) {
        return units().rows(side.hc) >= regular_.min_rows && (side.hc >> units().count_bits) >= node.least_hessian;
    };
    if (bins.missing.hc == 0 || !is_enough(bins.missing) || !is_enough(known)) return BARRED;
    return leaf_.bounded_score(bins.missing, node.bound, regular_.l2) +
           leaf_.bounded_score(known, node.bound, regular_.l2);
}

GradientSplit GradientSearch::best(const std::int64_t* cells, std::int32_t column, const Sums& sums, const Bound& bound,
                                   std::int64_t least_hessian, SearchScratch& s) const {
    const NodeRule node{sums, bound, least_hessian};
    const OrderedBins bins = ordered(cells, column, s);
    ScoredCuts right, left;  // the cuts with the missing rows on that side
    if (bins.n_cuts > 0) {
        right = scan(bins, node, {}, s, s.score);
        if (bins.missing.hc != 0) left = scan(bins, node, bins.missing, s, s.other);
    }
    const double of_missing = score_of_missing(bins, node);
    const double top = std::max({largest(right.score, right.n), largest(left.score, left.n), of_missing});
    GradientSplit out;
    out.column = column;
    if (top == BARRED) return out;
    const double bar = nearly(top);
    if (right.first_above(bar) >= 0 || left.first_above(bar) >= 0) return chosen(bins, sums, right, left, bar);
    out.asked = Asked::is_missing;
    out.left = bins.missing;
    out.missing_left = true;
    out.score = of_missing;
    return out;
}

// The first cut that reaches a score, and on which side the missing rows are: where both do, with the heavier one.
GradientSplit GradientSearch::chosen(const OrderedBins& bins, const Sums& node, const ScoredCuts& right,
                                     const ScoredCuts& left, double bar) const {
    const int at_right = right.first_above(bar), at_left = left.first_above(bar);
    const bool fits_left = at_left >= 0 && (at_right < 0 || at_left <= at_right);
    const bool fits_right = at_right >= 0 && (at_left < 0 || at_right <= at_left);
    const int at = fits_right ? at_right : at_left;
    GradientSplit out;
    out.column = bins.column;
    out.asked = bins.order ? Asked::levels : Asked::cut;
    out.length = bins.order ? at + 1 : at;
    Sums below;
    for (int i = 0; i <= at; ++i) below = below + bins.at(i);
    const Sums above = node - bins.missing - below;
    const bool has_missing = bins.missing.hc != 0, is_heavier = units().hessian(below.hc) >= units().hessian(above.hc);
    out.missing_left =
        has_missing ? fits_left && (!fits_right || is_heavier) : units().rows(below.hc) >= units().rows(above.hc);
    out.left = out.missing_left ? below + bins.missing : below;
    const ScoredCuts& taken = has_missing && out.missing_left ? left : right;
    out.score = taken.score[at - taken.first];
    return out;
}

}  // namespace hornbeam
