// Which set of levels is best when there are too many to try all?  Two-means on divergences (Chou): from several
// starts, every level moves to the side whose pooled statistics it diverges least from, until nothing moves.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "searches/level_sets.hpp"

namespace hornbeam {
namespace {

constexpr int MOST_ROUNDS = 100;
constexpr double STAYS = 1e-12;

std::vector<int> by(const std::vector<double>& score) {
    std::vector<int> order(score.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return score[a] < score[b]; });
    return order;
}

// The leading eigenvector of a symmetric matrix, by Jacobi rotations; its largest component is positive.
std::vector<double> leading_vector(std::vector<double> a, int n) {
    std::vector<double> v(static_cast<std::size_t>(n) * n, 0.0);
    for (int i = 0; i < n; ++i) v[i * n + i] = 1.0;
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0, on = 0;
        for (int p = 0; p < n; ++p)
            for (int q = 0; q < n; ++q) (p == q ? on : off) += a[p * n + q] * a[p * n + q];
        if (off <= 1e-30 * on) break;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                if (a[p * n + q] == 0.0) continue;
                const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
                const double t = (theta >= 0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; ++k) {
                    const double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; ++k) {
                    const double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                    const double vx = v[k * n + p], vy = v[k * n + q];
                    v[k * n + p] = c * vx - s * vy;
                    v[k * n + q] = s * vx + c * vy;
                }
            }
    }
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (a[i * n + i] > a[best * n + best]) best = i;
    std::vector<double> out(n);
    int top = 0;
    for (int k = 0; k < n; ++k) {
        out[k] = v[k * n + best];
        if (std::fabs(out[k]) > std::fabs(out[top])) top = k;
    }
    if (out[top] < 0)
        for (double& x : out) x = -x;
    return out;
}

// Levels by the projection of their class shares on the direction in which these differ most.
std::vector<int> principal_order(const LevelTable& table) {
    const int width = table.width;
    const double all = total(table.parent.data(), width);
    std::vector<double> apart(static_cast<std::size_t>(table.size()) * width), scatter(width * width, 0.0);
    for (int i = 0; i < table.size(); ++i) {
        const double w = total(table.of(i), width);
        for (int k = 0; k < width; ++k) apart[i * width + k] = table.of(i)[k] / w - table.parent[k] / all;
        for (int k = 0; k < width; ++k)
            for (int l = 0; l < width; ++l) scatter[k * width + l] += w * apart[i * width + k] * apart[i * width + l];
    }
    const std::vector<double> leading = leading_vector(scatter, width);
    std::vector<double> place(table.size(), 0.0);
    for (int i = 0; i < table.size(); ++i) {
        for (int k = 0; k < width; ++k) place[i] += apart[i * width + k] * leading[k];
        place[i] = std::nearbyint(place[i] * 1e12);  // levels of equal shares keep the order of their codes
    }
    return by(place);
}

std::vector<std::vector<int>> start_orders(const LevelTable& table) {
    std::vector<std::vector<int>> out;
    std::vector<double> rate(table.size());
    if (table.is_number || !table.sums.empty()) {
        for (int i = 0; i < table.size(); ++i) rate[i] = table.rate(i);
        return {by(rate)};
    }
    for (int k = 0; k < table.width; ++k) {
        for (int i = 0; i < table.size(); ++i) rate[i] = table.of(i)[k] / total(table.of(i), table.width);
        out.push_back(by(rate));
    }
    out.push_back(principal_order(table));
    return out;
}

// The first best prefix of an order, whatever the limits on size.
Side best_start(const LevelTable& table, const Criterion& criterion, const std::vector<int>& order, double tolerance) {
    TwoSides sides(table, criterion);
    double best = 0;
    int length = 0;
    for (int i = 0; i + 1 < table.size(); ++i) {
        sides.add(order[i]);
        const double score = sides.score();
        if (length == 0 || score - best > tolerance) best = score, length = i + 1;
    }
    Side side(table.size(), 1);
    for (int i = 0; i < length; ++i) side[order[i]] = 0;
    return side;
}

Side descended(const LevelTable& table, const Criterion& criterion, Side side) {
    const int width = table.width;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        std::vector<double> centre(2 * width, 0.0);
        for (int i = 0; i < table.size(); ++i)
            for (int k = 0; k < width; ++k) centre[side[i] * width + k] += table.of(i)[k];
        Side moved = side;
        for (int i = 0; i < table.size(); ++i) {
            const double here = criterion.divergence(table.of(i), centre.data(), width, table.is_number);
            const double there = criterion.divergence(table.of(i), centre.data() + width, width, table.is_number);
            if (std::isfinite(here) && std::isfinite(there) && std::fabs(here - there) <= STAYS) continue;
            moved[i] = here < there ? 0 : 1;
        }
        const auto inside = std::count(moved.begin(), moved.end(), 0);
        if (inside == 0 || inside == table.size() || moved == side) break;
        side = std::move(moved);
    }
    return side;
}

}  // namespace

LevelSplit chou(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSets sets(table);
    for (const std::vector<int>& order : start_orders(table)) {
        Side start = best_start(table, criterion, order, limits.tolerance);
        sets.keep(descended(table, criterion, start));
        sets.keep(std::move(start));
    }
    return sets.best(criterion, limits);
}

}  // namespace hornbeam
