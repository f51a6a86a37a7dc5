// The cut between two adjacent values: their midpoint.
#pragma once

#include <cmath>
#include <limits>

namespace hornbeam {

// The lower of two values as a cut; minus infinity is replaced by the lowest finite number.
inline double finite_low(double low, double high) {
    constexpr double LOWEST = std::numeric_limits<double>::lowest();
    return low < LOWEST && LOWEST < high ? LOWEST : low;
}

// A number t with low <= t < high: the midpoint if it is finite and below `high`, else the lower value.
inline double midpoint(double low, double high) {
    const double middle = low + (high - low) / 2;
    return std::isfinite(middle) && middle < high ? middle : finite_low(low, high);
}

}  // namespace hornbeam
