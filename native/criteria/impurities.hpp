// Decrease: criteria whose score is a decrease of impurity, I(parent) - sum over branches of w_b / w * I(branch).
#pragma once

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

}  // namespace hornbeam
