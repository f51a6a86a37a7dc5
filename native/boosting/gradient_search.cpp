#include "boosting/gradient_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/portable.hpp"
#include "searches/cut.hpp"

namespace hornbeam {
namespace {

constexpr double BARRED = -std::numeric_limits<double>::infinity();

// S(left) + S(right) of many cuts over one denominator.
HORNBEAM_CLONES void score_cuts(const double* g, const double* h, int n, double all_g, double all_h, double l1,
                                double l2, double* score) {
    for (int i = 0; i < n; ++i) {
        const double left = std::fabs(g[i]) - l1, right = std::fabs(all_g - g[i]) - l1;
        const double a = left > 0 ? left : 0.0, b = right > 0 ? right : 0.0;
        const double below = h[i] + l2, above = all_h - h[i] + l2;
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
    units_ = units;
    // The least whole number of units that reaches the bound; without l2 a side needs some hessian at all.
    constexpr double MOST = 0x1p60;  // no sum reaches this: nothing is split
    const double least = std::ceil(regular_.min_hessian / units.h);
    least_hessian_ = static_cast<std::int64_t>(std::min(least, MOST));
    if (least < MOST && static_cast<double>(least_hessian_) * units.h < regular_.min_hessian) ++least_hessian_;
    if (regular_.l2 <= 0) least_hessian_ = std::max<std::int64_t>(least_hessian_, 1);
}

// H_side / H_node >= (min_weighted_rows - 1/2) / rows of the node, in whole numbers.
std::int64_t GradientSearch::least_hessian(const Sums& node) const {
    const auto twice = static_cast<Wide>(2 * units_.rows(node.hc));
    const Wide share =
        (static_cast<Wide>(2 * regular_.min_weighted_rows - 1) * (node.hc >> units_.count_bits) + twice - 1) / twice;
    return std::max(least_hessian_, static_cast<std::int64_t>(share));
}

double GradientSearch::score(const Sums& sums) const {
    const double h = units_.hessian(sums.hc) + regular_.l2;
    const double pull = std::max(std::fabs(units_.gradient(sums.g)) - regular_.l1, 0.0);
    return h > 0 ? pull * pull / h : 0.0;
}

double GradientSearch::value(const Sums& sums, const Bound& bound, double l2) const {
    const double g = units_.gradient(sums.g), h = units_.hessian(sums.hc) + l2;
    const double pull = std::max(std::fabs(g) - regular_.l1, 0.0);
    const double value = h > 0 && pull > 0 ? (g > 0 ? -pull : pull) / h : 0.0;
    return std::clamp(value, bound.low, bound.high);
}

// What a value within bounds leaves of the score: -2 G v - (H + l2) v^2 - 2 l1 |v|.
double GradientSearch::bounded_score(const Sums& sums, const Bound& bound, double l2) const {
    const double v = value(sums, bound, l2);
    const double g = units_.gradient(sums.g), h = units_.hessian(sums.hc);
    return -2 * g * v - (h + l2) * v * v - 2 * regular_.l1 * std::fabs(v);
}

double GradientSearch::both(const Sums& left, const Sums& right, const Bound& bound, std::int32_t column,
                            double l2) const {
    const int rises = regular_.monotone.empty() ? 0 : regular_.monotone[column];
    if (rises != 0 && table_.columns[column].kind != Kind::nominal &&
        rises * (value(right, bound, l2) - value(left, bound, l2)) < 0)
        return BARRED;
    return bounded_score(left, bound, l2) + bounded_score(right, bound, l2);
}

double GradientSearch::gain(const GradientSplit& split, const Sums& node, const Bound& bound) const {
    const double own = bound.is_free() ? score(node) : bounded_score(node, bound, regular_.l2);
    return (split.score - own) / 2 - regular_.gamma;
}

// The score of the cuts behind the first i + 1 of the ordered codes, `start` standing left of all of them. Rows and
// hessian only grow from cut to cut, so those that leave enough on both sides stand side by side.
GradientSearch::Range GradientSearch::scan(const std::int64_t* cells, const std::int32_t* order, int count,
                                           const Sums& node, const Sums& start, const Bound& bound,
                                           std::int64_t least_h, std::int32_t column, SearchScratch& s,
                                           std::vector<double>& score) const {
    if (static_cast<int>(s.g.size()) < count) s.g.resize(count), s.h.resize(count);
    if (static_cast<int>(score.size()) < count) score.resize(count);
    const int bits = units_.count_bits;
    const std::int64_t mask = (std::int64_t{1} << bits) - 1, least_rows = regular_.min_rows;
    const std::int64_t most_rows = (node.hc & mask) - least_rows, most_h = (node.hc >> bits) - least_h;
    const double g_unit = units_.g, h_unit = units_.h, l2 = order ? l2_of_levels(column) : regular_.l2;
    double *g = s.g.data(), *h = s.h.data();
    Sums sum = start;
    int i = 0, n = 0;
    const auto add = [&] {
        const std::int64_t* cell = cells + 2 * static_cast<std::size_t>(order ? order[i] : i);
        sum.g += cell[0];
        sum.hc += cell[1];
    };
    for (; i < count; ++i) {
        add();
        if ((sum.hc & mask) >= least_rows && (sum.hc >> bits) >= least_h) break;
    }
    const int first = i;
    if (first == count) return {0, 0};
    const bool is_bound = !bound.is_free() || (!regular_.monotone.empty() && regular_.monotone[column] != 0);
    while ((sum.hc & mask) <= most_rows && (sum.hc >> bits) <= most_h) {
        g[n] = static_cast<double>(sum.g) * g_unit;
        h[n] = static_cast<double>(sum.hc >> bits) * h_unit;
        if (is_bound) score[n] = both(sum, node - sum, bound, column, l2);
        ++n;
        if (++i == count) break;
        add();
    }
    if (!is_bound) score_cuts(g, h, n, units_.gradient(node.g), units_.hessian(node.hc), regular_.l1, l2, score.data());
    return {first, n};
}

void GradientSearch::order_levels(const std::int64_t* cells, std::int32_t column,
                                  std::vector<std::int32_t>& out) const {
    out.clear();
    const auto n_bins = static_cast<std::int32_t>(table_.columns[column].n_bins);
    for (std::int32_t code = 0; code < n_bins; ++code)
        if (cells[2 * code + 1] != 0) out.push_back(code);
    const auto rate = [&](std::int32_t code) {
        const double h = units_.hessian(cells[2 * code + 1]) + regular_.categorical_smoothing;
        return h > 0 ? units_.gradient(cells[2 * code]) / h : 0.0;
    };
    std::stable_sort(out.begin(), out.end(), [&](std::int32_t a, std::int32_t b) { return rate(a) < rate(b); });
}

GradientSplit GradientSearch::best(const std::int64_t* cells, std::int32_t column, const Sums& node, const Bound& bound,
                                   std::int64_t least_h, SearchScratch& s) const {
    GradientSplit out;
    out.column = column;
    const BinnedColumn& bins = table_.columns[column];
    const std::size_t n_bins = bins.n_bins;
    const bool is_nominal = bins.kind == Kind::nominal;
    const std::int32_t* order = nullptr;
    int count = static_cast<int>(n_bins) - 1;
    if (is_nominal) {
        order_levels(cells, column, s.order);
        order = s.order.data();
        count = static_cast<int>(s.order.size()) - 1;
    }
    const Sums missing = bins.has_missing ? Sums{cells[2 * n_bins], cells[2 * n_bins + 1]} : Sums{};
    const bool has_missing = missing.hc != 0;
    double top = BARRED;
    Range right, left;  // the cuts with the missing rows on that side
    if (count > 0) {
        right = scan(cells, order, count, node, {}, bound, least_h, column, s, s.score);
        top = largest(s.score.data(), right.n);
        if (has_missing) {
            left = scan(cells, order, count, node, missing, bound, least_h, column, s, s.other);
            top = std::max(top, largest(s.other.data(), left.n));
        }
    }
    double alone = BARRED;
    const Sums known = node - missing;
    const auto is_enough = [&](const Sums& side) {
        return units_.rows(side.hc) >= regular_.min_rows && (side.hc >> units_.count_bits) >= least_h;
    };
    if (has_missing && is_enough(missing) && is_enough(known)) {
        // The missing stand in branch 0; a monotone column says nothing about them.
        alone = bounded_score(missing, bound, regular_.l2) + bounded_score(known, bound, regular_.l2);
        if (alone > top) top = alone;
    }
    if (top == BARRED) return out;
    const double bar = nearly(top);
    const auto first_near = [&](const Range& range, const std::vector<double>& score) {
        int i = 0;
        while (i < range.n && score[i] < bar) ++i;
        return i < range.n ? range.first + i : count;
    };
    const int at_right = first_near(right, s.score), at_left = first_near(left, s.other),
              at = std::min(at_right, at_left);
    if (at < count)
        return chosen(cells, order, at, node, missing, at == at_right, at == at_left, column, s, right, left);
    out.asked = Asked::is_missing;
    out.left = missing;
    out.missing_left = true;
    out.score = alone;
    return out;
}

// The cut at a place, and on which side the missing rows are: where both do, with the heavier one.
GradientSplit GradientSearch::chosen(const std::int64_t* cells, const std::int32_t* order, int at, const Sums& node,
                                     const Sums& missing, bool fits_right, bool fits_left, std::int32_t column,
                                     const SearchScratch& s, const Range& right, const Range& left) const {
    GradientSplit out;
    out.column = column;
    out.asked = order ? Asked::levels : Asked::cut;
    out.length = order ? at + 1 : at;
    Sums below;
    for (int i = 0; i <= at; ++i) {
        const std::size_t code = order ? order[i] : i;
        below = below + Sums{cells[2 * code], cells[2 * code + 1]};
    }
    const Sums above = node - missing - below;
    const bool is_heavier = units_.hessian(below.hc) >= units_.hessian(above.hc);
    out.missing_left =
        missing.hc != 0 ? fits_left && (!fits_right || is_heavier) : units_.rows(below.hc) >= units_.rows(above.hc);
    out.left = out.missing_left ? below + missing : below;
    out.score = missing.hc != 0 && out.missing_left ? s.other[at - left.first] : s.score[at - right.first];
    return out;
}

}  // namespace hornbeam
