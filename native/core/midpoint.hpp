// The threshold between two neighbouring values: their middle.
#pragma once

#include <cmath>
#include <limits>

namespace hornbeam {

// The lower of two values as a threshold; the lowest finite number takes the place of minus infinity.
inline double finite_low(double low, double high) {
    constexpr double LOWEST = std::numeric_limits<double>::lowest();
    return low < LOWEST && LOWEST < high ? LOWEST : low;
}

// A number t with low <= t < high: the middle where that is finite, else the lower value.
inline double midpoint(double low, double high) {
    const double middle = low + (high - low) / 2;
    return std::isfinite(middle) && middle < high ? middle : finite_low(low, high);
}

}  // namespace hornbeam
