// Comparison of weights with limits. Weights such as 0.1 are rounded, and the weights of fractional rows do not add up
// to the last bit, so a weight that lacks rounding alone reaches a limit.
#pragma once

#include <cmath>
#include <cstdint>

namespace hornbeam {

inline constexpr double WEIGHT_ROUNDING = 1e-10;

inline bool reaches(double weight, double limit) { return weight >= limit * (1.0 - WEIGHT_ROUNDING); }
inline bool exceeds(double weight, double limit) { return weight > limit * (1.0 + WEIGHT_ROUNDING); }

// The least integer weight that reaches a limit in units of weight.
inline std::int64_t whole_limit(double limit) {
    return static_cast<std::int64_t>(std::ceil(limit * (1.0 - WEIGHT_ROUNDING) - 1e-9));
}

// The rule of weighted medians: the median is the first value up to which the weight reaches half of the total.
inline bool reaches_half(std::int64_t weight, std::int64_t total) {
    return static_cast<double>(weight) >= static_cast<double>(total) / 2 * (1.0 - 1e-12);
}

}  // namespace hornbeam
