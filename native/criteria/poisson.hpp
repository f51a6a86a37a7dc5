// Poisson: the decrease of the Poisson deviance, in a form without cancellation for large counts.
//
// With the node's mean m and a branch's mean m_c = m (1 + d):
//   gain = sum over branches of w_c / W * 2 m phi(d),   phi(d) = (1 + d) ln(1 + d) - d >= 0
// No term is negative. The sums are centered on the mean of a node, so a mean near 10^9 loses no digits. A split with a
// branch without events has no gain: its leaf would predict a rate of 0, under which any event is impossible.
#pragma once

#include <cmath>

#include "criteria/criterion.hpp"

namespace hornbeam {

// (1 + d) ln(1 + d) - d for d >= -1; by a series near 0, where the difference would cancel.
inline double rate_divergence(double d) {
    if (d <= -1.0) return 1.0;
    if (std::fabs(d) >= 0.01) return (1.0 + d) * std::log1p(d) - d;
    double sum = 0;
    for (int k = 12; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - d * sum;
    return d * d * sum;
}

// A mean of at most this fraction of the node's mean is 0 up to rounding.
inline constexpr double NO_EVENTS = 1e-9;

class Poisson final : public Criterion {
  public:
    explicit Poisson(bool needs_events) : needs_events_(needs_events) {}
    double score(const SplitStats& split) const override {
        const double weight = split.parent[0], off = split.parent[1] / weight, mean = split.mean + off;
        if (!(mean > 0) || forbids(split)) return 0.0;
        double gain = 0;
        for (int b = 0; b < split.n_branches; ++b) {
            const double* stats = split.branches + b * 2;
            if (!(stats[0] > 0)) continue;
            gain += stats[0] / weight * rate_divergence((stats[1] / stats[0] - off) / mean);
        }
        return 2 * mean * gain;
    }
    // True for a branch without events if the node has events.
    bool forbids(const SplitStats& split) const override {
        const double off = split.parent[1] / split.parent[0], mean = split.mean + off;
        for (int b = 0; needs_events_ && b < split.n_branches && mean > 0; ++b) {
            const double* stats = split.branches + b * 2;
            if (stats[0] > 0 && 1.0 + (stats[1] / stats[0] - off) / mean <= NO_EVENTS) return true;
        }
        return false;
    }

  private:
    bool needs_events_;  // of every branch
};

}  // namespace hornbeam
