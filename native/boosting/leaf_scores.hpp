// LeafScores: the score and the value of a node as a leaf, from the sums of its gradients.
//
//     S(G, H) = soft(G, l1)^2 / (H + l2)       soft(G, l1) = sign(G) max(|G| - l1, 0)
//     value   = -soft(G, l1) / (H + l2)        clipped to the node's bounds (monotone columns)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "boosting/gradients.hpp"

namespace hornbeam {

struct Regularization {
    double l1 = 0.0, l2 = 0.0, categorical_l2 = 0.0, categorical_smoothing = 0.0, gamma = 0.0, min_hessian = 0.0;
    std::int64_t min_rows = 1, min_weighted_rows = 1;
    std::vector<std::int8_t> monotone;  // per column: -1, 0, 1; empty: none

    int monotone_direction(std::int32_t column) const { return monotone.empty() ? 0 : monotone[column]; }
};

struct Sums {
    std::int64_t g = 0, hc = 0;
    Sums operator-(const Sums& o) const { return {g - o.g, hc - o.hc}; }
    Sums operator+(const Sums& o) const { return {g + o.g, hc + o.hc}; }
};

inline Sums sum_of(const Pair* pairs, std::span<const std::uint32_t> rows) {
    Sums out;
    for (const std::uint32_t row : rows) out = out + Sums{pairs[row].first, pairs[row].second};
    return out;
}

struct Bound {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    bool is_free() const { return low == -std::numeric_limits<double>::infinity() && high == -low; }
};

struct LeafScores {
    const Regularization& regular;
    Units units = {};

    double score(const Sums& sums) const {
        const double h = units.hessian(sums.hc) + regular.l2;
        const double shrunk = std::max(std::fabs(units.gradient(sums.g)) - regular.l1, 0.0);
        return h > 0 ? shrunk * shrunk / h : 0.0;
    }
    double value(const Sums& sums, const Bound& bound, double l2) const {
        const double g = units.gradient(sums.g), h = units.hessian(sums.hc) + l2;
        const double shrunk = std::max(std::fabs(g) - regular.l1, 0.0);
        const double value = h > 0 && shrunk > 0 ? (g > 0 ? -shrunk : shrunk) / h : 0.0;
        return std::clamp(value, bound.low, bound.high);
    }
    // The score of a value within bounds: -2 G v - (H + l2) v^2 - 2 l1 |v|.
    double bounded_score(const Sums& sums, const Bound& bound, double l2) const {
        const double v = value(sums, bound, l2);
        const double g = units.gradient(sums.g), h = units.hessian(sums.hc);
        return -2 * g * v - (h + l2) * v * v - 2 * regular.l1 * std::fabs(v);
    }
};

}  // namespace hornbeam
