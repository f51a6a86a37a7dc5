// Criteria that are not a decrease of impurity: they score the branches of a split together.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "criteria/impurities.hpp"

namespace hornbeam {

// Base class: the impurity of a node is Gini's.
class SplitScore : public Criterion {
  public:
    double impurity(const double* stats, int width) const override {
        return Gini::of(stats, width, total(stats, width));
    }
    bool is_impurity() const override { return false; }
};

// Squared error from (weight, sum) alone: sum S_c^2 / (W_c W) - (S / W)^2; the sums are centered on the mean of the
// node. The decreases of several numbers are added.
class SquaredError final : public Criterion {
  public:
    double score(const SplitStats& split) const override {
        const double weight = split.parent[0];
        double gain = 0.0;
        for (int t = 1; t < split.width; ++t) {
            gain -= (split.parent[t] / weight) * (split.parent[t] / weight);
            for (int b = 0; b < split.n_branches; ++b) {
                const double* stats = split.branches + b * split.width;
                if (stats[0] > 0) gain += stats[t] / stats[0] * (stats[t] / weight);
            }
        }
        return gain;
    }
};

// Gain divided by split information; minus infinity, which nothing admits, up to 1e-3 bits of split information.
class GainRatio final : public SplitScore {
  public:
    double impurity(const double* stats, int width) const override { return gain_.impurity(stats, width); }
    double score(const SplitStats& split) const override {
        const double bits = split_information(split, false);
        if (bits <= 1e-3) return -std::numeric_limits<double>::infinity();
        const double known = total(split.parent, split.width);
        return gain_.score(split) * (known / (known + split.unknown)) / bits;
    }

  private:
    Decrease<Entropy> gain_;
};

// The CART measure of the lecture notes: distance of the joint distribution from independence,
// sum |P(k, b) - P(k) P(b)|; for two branches this is 2 f0 f1 sum |p_k(0) - p_k(1)|.
class CartMeasure final : public SplitScore {
  public:
    double score(const SplitStats& s) const override {
        const double weight = total(s.parent, s.width);
        double sum = 0;
        for (int b = 0; b < s.n_branches; ++b) {
            const double* stats = s.branches + b * s.width;
            const double fraction = total(stats, s.width) / weight;
            for (int k = 0; k < s.width; ++k) sum += std::fabs(stats[k] / weight - s.parent[k] / weight * fraction);
        }
        return sum;
    }
};

// Breiman's twoing: f0 f1 / 4 * (sum |p_k(0) - p_k(1)|)^2.
class Twoing final : public SplitScore {
  public:
    double score(const SplitStats& s) const override {
        const double left = total(s.branches, s.width), right = total(s.branches + s.width, s.width);
        double sum = 0;
        for (int k = 0; k < s.width; ++k) sum += std::fabs(s.branches[k] / left - s.branches[s.width + k] / right);
        return (left / (left + right)) * (right / (left + right)) / 4 * sum * sum;
    }
};

// Pearson's chi-square statistic divided by the weight.
class ChiSquare final : public SplitScore {
  public:
    double score(const SplitStats& s) const override {
        const double weight = total(s.parent, s.width);
        double sum = 0;
        for (int b = 0; b < s.n_branches; ++b) {
            const double* stats = s.branches + b * s.width;
            const double w = total(stats, s.width);
            for (int k = 0; k < s.width; ++k) {
                const double expected = w * s.parent[k] / weight;
                if (expected > 0) sum += (stats[k] - expected) * (stats[k] - expected) / expected;
            }
        }
        return sum / weight;
    }
};

// The largest Hellinger distance between one class and the rest, computed from their distributions over the branches:
// class sizes have no effect.
class Hellinger final : public SplitScore {
  public:
    double score(const SplitStats& s) const override {
        const double weight = total(s.parent, s.width);
        double best = 0;
        for (int k = 0; k < s.width; ++k) {
            if (s.parent[k] <= 0 || s.parent[k] >= weight) continue;
            double sum = 0;
            for (int b = 0; b < s.n_branches; ++b) {
                const double* stats = s.branches + b * s.width;
                const double rest = std::max(total(stats, s.width) - stats[k], 0.0) / (weight - s.parent[k]);
                const double step = std::sqrt(std::max(stats[k], 0.0) / s.parent[k]) - std::sqrt(rest);
                sum += step * step;
            }
            best = std::max(best, std::sqrt(sum));
        }
        return best;
    }
};

}  // namespace hornbeam
