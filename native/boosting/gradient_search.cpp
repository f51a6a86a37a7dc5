#include "boosting/gradient_search.hpp"

#include <algorithm>
#include <cmath>

#include "searches/cut.hpp"

namespace hornbeam {
namespace {

constexpr double BARRED = -std::numeric_limits<double>::infinity();

// S(left) + S(right) of many cuts over one denominator; `bar` is 0, or -inf where a side is too small.
HORNBEAM_CLONES void score_cuts(const double* g, const double* h, const double* bar, int n, double all_g, double all_h,
                                double l1, double l2, double* score) {
    for (int i = 0; i < n; ++i) {
        const double left = std::fabs(g[i]) - l1, right = std::fabs(all_g - g[i]) - l1;
        const double a = left > 0 ? left : 0.0, b = right > 0 ? right : 0.0;
        const double below = h[i] + l2, above = all_h - h[i] + l2;
        score[i] = (a * a * above + b * b * below) / (below * above) + bar[i];
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

double GradientSearch::score(double g, double h) const {
    const double pull = std::max(std::fabs(g) - regular_.l1, 0.0);
    return h + regular_.l2 > 0 ? pull * pull / (h + regular_.l2) : 0.0;
}

double GradientSearch::value(const Sums& sums, const Bound& bound) const {
    const double g = units_.gradient(sums.g), h = units_.hessian(sums.hc) + regular_.l2;
    const double pull = std::max(std::fabs(g) - regular_.l1, 0.0);
    const double value = h > 0 && pull > 0 ? (g > 0 ? -pull : pull) / h : 0.0;
    return std::clamp(value, bound.low, bound.high);
}

// What a value within bounds leaves of the score: -2 G v - (H + l2) v^2 - 2 l1 |v|.
double GradientSearch::bounded_score(const Sums& sums, const Bound& bound) const {
    const double v = value(sums, bound);
    const double g = units_.gradient(sums.g), h = units_.hessian(sums.hc);
    return -2 * g * v - (h + regular_.l2) * v * v - 2 * regular_.l1 * std::fabs(v);
}

double GradientSearch::both(const Sums& left, const Sums& right, const Bound& bound, std::int32_t column) const {
    const int rises = regular_.monotone.empty() ? 0 : regular_.monotone[column];
    if (rises != 0 && table_.columns[column].kind != Kind::nominal &&
        rises * (value(right, bound) - value(left, bound)) < 0)
        return BARRED;
    return bounded_score(left, bound) + bounded_score(right, bound);
}

double GradientSearch::gain(const GradientSplit& split, const Sums& node, const Bound& bound) const {
    const double own = bound.is_free() ? score(node) : bounded_score(node, bound);
    return (split.score - own) / 2 - regular_.gamma;
}

// The score of every cut behind the first i + 1 of the ordered codes, `start` standing left of all of them.
void GradientSearch::scan(const std::int64_t* cells, const std::int32_t* order, int count, const Sums& node,
                          const Sums& start, const Bound& bound, std::int32_t column, SearchScratch& s,
                          std::vector<double>& score) const {
    if (static_cast<int>(s.g.size()) < count) s.g.resize(count), s.h.resize(count), s.bar.resize(count);
    if (static_cast<int>(score.size()) < count) score.resize(count);
    const bool is_bound = !bound.is_free() || (!regular_.monotone.empty() && regular_.monotone[column] != 0);
    const double all_h = units_.hessian(node.hc);
    const std::int64_t all_rows = units_.rows(node.hc), mask = (std::int64_t{1} << units_.count_bits) - 1;
    const double least_h = std::max(regular_.min_hessian, regular_.l2 > 0 ? 0.0 : units_.h);
    Sums sum = start;
    for (int i = 0; i < count; ++i) {
        const std::int64_t* cell = cells + 2 * static_cast<std::size_t>(order ? order[i] : i);
        sum.g += cell[0];
        sum.hc += cell[1];
        const std::int64_t rows = sum.hc & mask;
        const double h = units_.hessian(sum.hc);
        const bool fits = (rows >= regular_.min_rows) & (all_rows - rows >= regular_.min_rows) & (h >= least_h) &
                          (all_h - h >= least_h);
        s.g[i] = units_.gradient(sum.g);
        s.h[i] = h;
        s.bar[i] = fits ? 0.0 : BARRED;
        if (is_bound) score[i] = fits ? both(sum, node - sum, bound, column) : BARRED;
    }
    if (is_bound) return;
    score_cuts(s.g.data(), s.h.data(), s.bar.data(), count, units_.gradient(node.g), all_h, regular_.l1, regular_.l2,
               score.data());
    // No hessian on a barred side may give 0 / 0.
    for (int i = 0; i < count; ++i) score[i] = s.bar[i] < 0 ? BARRED : score[i];
}

void GradientSearch::order_levels(const std::int64_t* cells, std::int32_t column,
                                  std::vector<std::int32_t>& out) const {
    out.clear();
    const auto n_bins = static_cast<std::int32_t>(table_.columns[column].n_bins);
    for (std::int32_t code = 0; code < n_bins; ++code)
        if (cells[2 * code + 1] != 0) out.push_back(code);
    const auto rate = [&](std::int32_t code) {
        const double h = units_.hessian(cells[2 * code + 1]);
        return h > 0 ? units_.gradient(cells[2 * code]) / h : 0.0;
    };
    std::stable_sort(out.begin(), out.end(), [&](std::int32_t a, std::int32_t b) { return rate(a) < rate(b); });
}

GradientSplit GradientSearch::best(const std::int64_t* cells, std::int32_t column, const Sums& node, const Bound& bound,
                                   SearchScratch& s) const {
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
    if (count > 0) {
        scan(cells, order, count, node, {}, bound, column, s, s.score);
        top = largest(s.score.data(), count);
        if (has_missing) {
            scan(cells, order, count, node, missing, bound, column, s, s.other);
            top = std::max(top, largest(s.other.data(), count));
        }
    }
    double alone = BARRED;
    const Sums known = node - missing;
    if (has_missing && admits(missing) && admits(known)) {
        // The missing stand in branch 0; a monotone column says nothing about them.
        alone = bounded_score(missing, bound) + bounded_score(known, bound);
        if (alone > top) top = alone;
    }
    if (top == BARRED) return out;
    const double bar = nearly(top);
    Sums left;
    for (int i = 0; i < count; ++i) {
        const std::size_t code = order ? order[i] : i;
        left = left + Sums{cells[2 * code], cells[2 * code + 1]};
        const bool fits_right = s.score[i] >= bar, fits_left = has_missing && s.other[i] >= bar;
        if (!fits_right && !fits_left) continue;
        out.asked = is_nominal ? Asked::levels : Asked::cut;
        out.length = is_nominal ? i + 1 : i;
        const bool left_is_heavier = units_.hessian(left.hc) >= units_.hessian((known - left).hc);
        out.missing_left = has_missing ? fits_left && (!fits_right || left_is_heavier)
                                       : units_.rows(left.hc) >= units_.rows((node - left).hc);
        out.left = out.missing_left ? left + missing : left;
        out.score = has_missing && out.missing_left ? s.other[i] : s.score[i];
        return out;
    }
    out.asked = Asked::is_missing;
    out.left = missing;
    out.missing_left = true;
    out.score = alone;
    return out;
}

}  // namespace hornbeam
