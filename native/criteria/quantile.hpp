// QuantileRisk: the decrease of the pinball loss of a quantile. The statistics of a node are the weights of its
// distinct target values; the impurity is the mean of  scale * (tau (y - q) above q, (1 - tau) (q - y) below q),  where
// q is the first value up to which the weight reaches tau. The median with scale 2 gives the mean absolute distance.
#pragma once

#include <cstddef>

#include "criteria/criterion.hpp"

namespace hornbeam {

// A quantile and the scale of its loss: tau = 1/2 and scale = 2 give the absolute distance from the median.
struct QuantileRule {
    double tau = 0.5, scale = 2.0;
    // The weight that a value must reach. Products such as 0.8 * 5 are rounded; the tolerance accepts a value that
    // reaches the level exactly.
    double wanted(double weight) const { return tau * weight * (1.0 - 1e-12); }
};

class QuantileRisk final : public Criterion {
  public:
    explicit QuantileRisk(const QuantileRule& rule) : rule_(rule) {}
    double score(const SplitStats& split) const override {
        double decrease = risk(split.parent, split.width, split.targets);
        for (int b = 0; b < split.n_branches; ++b)
            decrease -= risk(split.branches + static_cast<std::size_t>(b) * split.width, split.width, split.targets);
        return decrease / total(split.parent, split.width);
    }

  private:
    // Weight times impurity.
    double risk(const double* stats, int width, const double* targets) const {
        const double target_weight = rule_.wanted(total(stats, width));
        double reached = 0, up = 0, down = 0;
        int at = 0;
        for (; at + 1 < width && (reached += stats[at]) < target_weight;) ++at;
        for (int k = 0; k < at; ++k) down += stats[k] * (targets[at] - targets[k]);
        for (int k = at + 1; k < width; ++k) up += stats[k] * (targets[k] - targets[at]);
        return rule_.scale * (rule_.tau * up + (1 - rule_.tau) * down);
    }
    QuantileRule rule_;
};

}  // namespace hornbeam
