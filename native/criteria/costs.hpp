// ExpectedCost: the decrease of the expected cost of the best prediction, I = min over k of sum_j p_j C[j][k].
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"

namespace hornbeam {

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
