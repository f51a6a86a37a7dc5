// Decrease: criteria whose score is a decrease of impurity, I(parent) - sum over branches of w_b / w * I(branch).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"

namespace hornbeam {

template <class Impurity>
class Decrease : public Criterion {
  public:
    double score(const SplitStats& split) const override {
        const double weight = total(split.parent, split.width);
        double decrease = Impurity::of(split.parent, split.width, weight);
        for (int b = 0; b < split.n_branches; ++b) {
            const double* stats = split.branches + b * split.width;
            const double w = total(stats, split.width);
            if (w > 0) decrease -= w / weight * Impurity::of(stats, split.width, w);
        }
        return decrease;
    }
    double impurity(const double* stats, int width) const override {
        return Impurity::of(stats, width, total(stats, width));
    }
};

struct Gini {
    static double of(const double* stats, int width, double weight) {
        double squares = 0;
        for (int k = 0; k < width; ++k) squares += stats[k] / weight * (stats[k] / weight);
        return 1.0 - squares;
    }
};

struct Entropy {
    static double of(const double* stats, int width, double weight);
};

class EntropyDecrease final : public Decrease<Entropy> {
  public:
    double divergence(const double* stats, const double* center, int width, bool is_number) const override;
};

struct TwoClassVariance {
    static double of(const double* stats, int width, double weight) { return Gini::of(stats, width, weight) / 2; }
};

struct Misclassification {
    static double of(const double* stats, int width, double weight) {
        double largest = 0;
        for (int k = 0; k < width; ++k) largest = stats[k] > largest ? stats[k] : largest;
        return 1.0 - largest / weight;
    }
};

// The same decrease, with the divergence of the zero-one loss.
class ZeroOneDecrease final : public Decrease<Misclassification> {
  public:
    double divergence(const double* stats, const double* center, int width, bool is_number) const override;
};

// The decrease of the expected cost of the best prediction, I = min over k of sum_j p_j C[j][k].
class ExpectedCost final : public Criterion {
  public:
    explicit ExpectedCost(std::vector<double> costs) : costs_(std::move(costs)) {}
    double score(const SplitStats& split) const override { return decrease(split); }
    double impurity(const double* stats, int width) const override {
        return expected(stats, best_answer(stats, width), width);
    }
    // The expected cost of the center's prediction, minus that of the group's own.
    double divergence(const double* stats, const double* center, int width, bool) const override {
        return std::max(expected(stats, best_answer(center, width), width) - impurity(stats, width), 0.0);
    }

  private:
    double expected(const double* stats, int answer, int width) const {
        double cost = 0;
        for (int j = 0; j < width; ++j) cost += stats[j] * costs_[static_cast<std::size_t>(j) * width + answer];
        return cost / total(stats, width);
    }
    // The first class whose cost is within 1e-12 of the least one, relative to the largest.
    int best_answer(const double* stats, int width) const {
        std::vector<double> cost(width);
        for (int k = 0; k < width; ++k) cost[k] = expected(stats, k, width);
        const auto [least, most] = std::minmax_element(cost.begin(), cost.end());
        const double bar = *least + 1e-12 * *most;
        return static_cast<int>(std::find_if(cost.begin(), cost.end(), [&](double c) { return c <= bar; }) -
                                cost.begin());
    }

    std::vector<double> costs_;
};

}  // namespace hornbeam
