// Questions that do not use the target. The reference implementations are kd_median, pca_median, two_means and ball in
// parts/searches.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stop.hpp"
#include "oblique/many.hpp"

namespace hornbeam {
namespace {

using QuestionKind = ManyQuestion::Kind;

ManyQuestion kd_median(const ManyPlan& plan, const Points& points, const RowTable& table,
                       const std::vector<std::uint32_t>& rows, SplitScorer& scorer) {
    const bool by_range = plan.at("spread") == 1;
    int column = 0;
    double largest_spread = -1;
    for (int j = 0; j < points.d; ++j) {
        double low = points.raw_row(0)[j], high = low;
        for (std::int64_t i = 1; i < points.n; ++i) {
            low = std::min(low, points.raw_row(i)[j]);
            high = std::max(high, points.raw_row(i)[j]);
        }
        const double spread = by_range ? high - low : points.sd[j];
        if (spread > largest_spread) largest_spread = spread, column = j;
    }
    ManyQuestion out;
    Vector numbers(points.n);
    const double fill = scorer.fill_of(points.columns[column]);
    for (std::int64_t i = 0; i < points.n; ++i) {
        const double number = table.row(rows[i])[table.position_of[points.columns[column]]];
        numbers[i] = std::isnan(number) ? fill : number;
    }
    double at = 0;
    if (!scorer.median(numbers, true, at)) return out;
    out.kind = QuestionKind::threshold;
    out.terms = {points.columns[column]};
    out.reals = {at};
    return out;
}

Vector longest_axis(const Points& points) {
    Vector mean, spread, values, vectors;
    covariance(points, [](std::int64_t) { return true; }, mean, spread);
    eigen_symmetric(spread, points.d, values, vectors);
    Vector axis(vectors.begin(), vectors.begin() + points.d);
    make_canonical(axis);
    return axis;
}

ManyQuestion pca_median(const Points& points, SplitScorer& scorer) {
    Vector numbers;
    ManyQuestion out = plane_across(points, longest_axis(points), numbers);
    double at = 0;
    if (!scorer.median(numbers, false, at)) return {};
    set_bound(out, at);
    return out;
}

double distance_to(const double* row, const Vector& center) {
    double sum = 0;
    for (std::size_t j = 0; j < center.size(); ++j) sum += (row[j] - center[j]) * (row[j] - center[j]);
    return sum;
}

ManyQuestion two_means(const ManyPlan& plan, const Points& points) {
    const int d = points.d;
    const Vector axis = longest_axis(points);
    std::int64_t first = 0, last = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::int64_t i = 0; i < points.n; ++i) {
        double along = 0;
        for (int j = 0; j < d; ++j) along += axis[j] * points.row(i)[j];
        if (along < low) low = along, first = i;
        if (along > high) high = along, last = i;
    }
    Vector center[2] = {Vector(points.row(first), points.row(first) + d),
                        Vector(points.row(last), points.row(last) + d)};
    std::vector<std::uint8_t> side(points.n, 0);
    for (int round = 0; round < static_cast<int>(plan.at("rounds")); ++round) {
        check_stop(points.n * d);
        bool is_changed = false;
        std::int64_t above = 0;
        for (std::int64_t i = 0; i < points.n; ++i) {
            const std::uint8_t moved = distance_to(points.row(i), center[1]) < distance_to(points.row(i), center[0]);
            is_changed |= moved != side[i];
            above += moved;
            side[i] = moved;
        }
        if (above == 0 || above == points.n) return {};
        if (round > 0 && !is_changed) break;
        double weight[2] = {0, 0};
        center[0].assign(d, 0.0);
        center[1].assign(d, 0.0);
        for (std::int64_t i = 0; i < points.n; ++i) {
            weight[side[i]] += points.weights[i];
            for (int j = 0; j < d; ++j) center[side[i]][j] += points.row(i)[j] * points.weights[i];
        }
        for (int s = 0; s < 2; ++s)
            for (double& c : center[s]) c /= weight[s];
    }
    Vector unit(d), numbers;
    for (int j = 0; j < d; ++j) unit[j] = center[1][j] - center[0][j];
    if (!make_canonical(unit)) return {};
    ManyQuestion out = plane_across(points, unit, numbers);
    double bound = 0;
    for (int j = 0, t = 0; j < d; ++j)
        if (unit[j] != 0) {
            const double middle = points.mean[j] + points.sd[j] * (center[0][j] + center[1][j]) / 2;
            bound += out.reals[t++] * middle;
        }
    set_bound(out, bound);
    return out;
}

ManyQuestion ball(const Points& points, SplitScorer& scorer) {
    Vector distance;
    squared_distance(points, points.mean, points.sd, distance);
    double at = 0;
    if (!scorer.median(distance, false, at)) return {};
    return sphere_about(points, points.mean, points.sd, at);
}

}  // namespace

ManyQuestion without_target(const ManyPlan& plan, const Points& points, const RowTable& table,
                            const std::vector<std::uint32_t>& rows, SplitScorer& scorer) {
    ManyQuestion out;
    if (points.d < 1) return out;
    if (plan.name == "kd_median") out = kd_median(plan, points, table, rows, scorer);
    if (plan.name == "pca_median") out = pca_median(points, scorer);
    if (plan.name == "two_means") out = two_means(plan, points);
    if (plan.name == "ball") out = ball(points, scorer);
    if (out.kind == QuestionKind::none) return out;
    RowSides sides;
    out.branches(table, rows, sides);
    if (!scorer.score(sides, out.score)) out.kind = QuestionKind::none;
    out.is_free = true;
    return out;
}

}  // namespace hornbeam
