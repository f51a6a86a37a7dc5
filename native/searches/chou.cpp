// Sets of levels by Chou's descent, if there are too many to try all: two-means on divergences. From several starts,
// every level moves to the side from whose pooled statistics it diverges least, until no level moves.
#include <algorithm>
#include <cmath>

#include "core/stop.hpp"
#include "searches/level_order.hpp"
#include "searches/level_search.hpp"
#include "searches/level_sets.hpp"

namespace hornbeam {
namespace {

constexpr int MAX_ROUNDS = 100;
constexpr int STEPS = 100;

// The leading eigenvector of a symmetric matrix, by a fixed number of power iterations from a fixed start: continuous
// in the matrix even if two eigenvalues are equal. The first of the largest components is positive.
std::vector<double> leading_vector(const std::vector<double>& matrix, int n) {
    std::vector<double> found(n), next(n);
    for (int k = 0; k < n; ++k) found[k] = 1.0 / (k + 1);
    for (int step = 0; step < STEPS; ++step) {
        double length = 0;
        for (int k = 0; k < n; ++k) {
            check_stop(n);
            next[k] = 0;
            for (int l = 0; l < n; ++l) next[k] += matrix[static_cast<std::size_t>(k) * n + l] * found[l];
            length += next[k] * next[k];
        }
        if (!(length > 0)) return std::vector<double>(n, 0.0);
        for (int k = 0; k < n; ++k) found[k] = next[k] / std::sqrt(length);
    }
    double largest = 0;
    for (const double x : found) largest = std::max(largest, std::fabs(x));
    const double first =
        *std::find_if(found.begin(), found.end(), [&](double x) { return std::fabs(x) >= (1 - SAME_SCORE) * largest; });
    if (first < 0)
        for (double& x : found) x = -x;
    return found;
}

// Levels ordered by the projection of their class fractions, or means, on the first principal component.
std::vector<int> principal_order(const LevelTable& table) {
    const int width = table.width;
    const double all = table.mass();
    std::vector<double> apart(static_cast<std::size_t>(table.size()) * width),
        scatter(static_cast<std::size_t>(width) * width, 0.0);
    for (int i = 0; i < table.size(); ++i) {
        const double w = table.weight_in(table.of(i));
        double* here = apart.data() + static_cast<std::size_t>(i) * width;
        for (int k = 0; k < width; ++k) here[k] = table.of(i)[k] / w - table.parent[k] / all;
        for (int k = 0; k < width; ++k) {
            check_stop(width);
            double* row = scatter.data() + static_cast<std::size_t>(k) * width;
            for (int l = 0; l < width; ++l) row[l] += w * here[k] * here[l];
        }
    }
    const std::vector<double> leading = leading_vector(scatter, width);
    std::vector<double> projection(table.size(), 0.0);
    for (int i = 0; i < table.size(); ++i)
        for (int k = 0; k < width; ++k) projection[i] += apart[static_cast<std::size_t>(i) * width + k] * leading[k];
    return in_order(projection, 1.0);
}

std::vector<std::vector<int>> start_orders(const LevelTable& table) {
    std::vector<std::vector<int>> out;
    std::vector<double> rate(table.size());
    if ((table.is_number && table.width == 2) || !table.sums.empty()) {
        for (int i = 0; i < table.size(); ++i) rate[i] = table.rate(i);
        return {in_order(rate, table.key_scale(rate))};
    }
    std::vector<double> mass(table.size());
    for (int i = 0; i < table.size(); ++i) mass[i] = table.weight_in(table.of(i));
    for (int k = table.is_number ? 1 : 0; k < table.width; ++k) {
        for (int i = 0; i < table.size(); ++i) rate[i] = table.of(i)[k] / mass[i];
        check_stop(table.size());
        out.push_back(in_order(rate, table.key_scale(rate)));
    }
    out.push_back(principal_order(table));
    return out;
}

// The first best prefix of an order, regardless of minimum sizes.
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

Side descend(const LevelTable& table, const Criterion& criterion, Side side, double tolerance) {
    const int width = table.width;
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        std::vector<double> center(2 * width, 0.0);
        for (int i = 0; i < table.size(); ++i)
            for (int k = 0; k < width; ++k) center[side[i] * width + k] += table.of(i)[k];
        Side moved = side;
        for (int i = 0; i < table.size(); ++i) {
            check_stop(2 * width);
            const double here = criterion.divergence(table.of(i), center.data(), width, table.is_number);
            const double there = criterion.divergence(table.of(i), center.data() + width, width, table.is_number);
            if (std::isfinite(here) && std::isfinite(there) && std::fabs(here - there) <= tolerance) continue;
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
        sets.keep(descend(table, criterion, start, limits.tolerance));
        sets.keep(std::move(start));
    }
    return sets.best(criterion, limits);
}

LevelSearchPointer chou_search() { return std::make_shared<FunctionSearch<chou>>(); }

}  // namespace hornbeam
