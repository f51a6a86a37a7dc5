// The rule of weighted medians: the median is the first value up to which the weight reaches half of the total. Weights
// such as 0.1 are rounded, so a weight that lacks one part in 10^12 reaches the half.
#pragma once

#include <cstdint>

namespace hornbeam {

inline bool reaches_half(std::int64_t weight, std::int64_t total) {
    return static_cast<double>(weight) >= static_cast<double>(total) / 2 * (1.0 - 1e-12);
}

}  // namespace hornbeam
