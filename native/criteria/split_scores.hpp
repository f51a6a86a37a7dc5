// Criteria that score a split as a whole.
#pragma once

#include <algorithm>
#include <cmath>

#include "criteria/impurities.hpp"

namespace hornbeam {

class SplitScore : public Criterion {
  public:
    double scale(const double*, int) const override { return 1.0; }
    bool is_impurity() const override { return false; }
};

// Squared error from (weight, sum) alone: sum S_c^2 / (W_c W) - (S / W)^2; the sums are centred on the node's mean.
class SquaredError final : public Criterion {
  public:
    double score(const SplitStats& split) const override {
        const double weight = split.parent[0];
        double gain = -(split.parent[1] / weight) * (split.parent[1] / weight);
        for (int b = 0; b < split.n_branches; ++b) {
            const double* stats = split.branches + b * 2;
            if (stats[0] > 0) gain += stats[1] / stats[0] * (stats[1] / weight);
        }
        return gain;
    }
    double scale(const double*, int) const override { return 1.0; }
};

// Poisson deviance: 2 / W * (sum S_c ln(S_c / W_c) - S ln(S / W)), sums not centred.
class Poisson final : public Criterion {
  public:
    static double part(double weight, double sum) { return sum > 0 ? sum * std::log(sum / weight) : 0.0; }
    double score(const SplitStats& split) const override {
        double gain = -part(split.parent[0], split.parent[1]);
        for (int b = 0; b < split.n_branches; ++b) {
            const double* stats = split.branches + b * 2;
            if (stats[0] > 0) gain += part(stats[0], stats[1]);
        }
        return 2 * gain / split.parent[0];
    }
    double scale(const double*, int) const override { return 1.0; }
};

// Gain over split information; undefined (never admissible) below 1e-3 bits.
class GainRatio final : public SplitScore {
  public:
    double score(const SplitStats& split) const override {
        const double bits = split_information(split, false);
        if (bits <= 1e-3) return -1.0;
        const double known = total(split.parent, split.width);
        return gain_.score(split) * (known / (known + split.unknown)) / bits;
    }

  private:
    Decrease<Entropy> gain_;
};

// The notes' CART measure: 2 f0 f1 sum |p_k(0) - p_k(1)|; for more branches the mean over pairs is not defined: two
// only.
class CartMeasure final : public SplitScore {
  public:
    double score(const SplitStats& s) const override {
        const double left = total(s.branches, s.width), right = total(s.branches + s.width, s.width);
        double sum = 0;
        for (int k = 0; k < s.width; ++k) sum += std::fabs(s.branches[k] / left - s.branches[s.width + k] / right);
        return 2 * (left / (left + right)) * (right / (left + right)) * sum;
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

// Pearson's statistic over the weight.
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

// Hellinger distance between the branches' shares of each class, squared, over all pairs of classes (insensitive to
// skew).
class Hellinger final : public SplitScore {
  public:
    double score(const SplitStats& s) const override {
        double sum = 0;
        int pairs = 0;
        for (int a = 0; a < s.width; ++a)
            for (int b = a + 1; b < s.width; ++b) {
                if (s.parent[a] <= 0 || s.parent[b] <= 0) continue;
                for (int c = 0; c < s.n_branches; ++c) {
                    const double* stats = s.branches + c * s.width;
                    const double step = std::sqrt(stats[a] / s.parent[a]) - std::sqrt(stats[b] / s.parent[b]);
                    sum += step * step;
                }
                ++pairs;
            }
        return pairs > 0 ? std::sqrt(sum / pairs) : 0.0;
    }
};

}  // namespace hornbeam
