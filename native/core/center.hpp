// Sums of a regression target about the mean of a node. The difference is taken in integers and rounded once: in
// doubles the sum of a small group would lose its digits, and one partition of the rows would have several scores.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/portable.hpp"

namespace hornbeam {

// The weight and the sum of the rows on whose mean other sums are centered, in the target's units.
struct Center {
    std::int64_t weight = 0, sum = 0;

    // sum - weight * mean for a group of rows.
    double of(std::int64_t group_weight, std::int64_t group_sum) const {
        const Wide difference = static_cast<Wide>(group_sum) * weight - static_cast<Wide>(group_weight) * sum;
        return static_cast<double>(difference) / static_cast<double>(weight);
    }
};

// The mean of a node as a multiple of 2^-shift and a rest: mean * 2^shift = whole + rest, |rest| <= 1/2. Sums of
// value * 2^shift - weight * whole are integers; they are computed modulo 2^64, and a sum over any group of rows fits.
struct ScaledMean {
    int shift = 0;
    std::int64_t whole = 0;
    double rest = 0.0;

    // `spread`: the weighted sum of squares about the mean, or more; no centered sum is larger than its root times that
    // of the weight, but for the rounding of the sums by up to half a unit per row.
    static ScaledMean of(const Center& center, double spread, std::int64_t rows) {
        constexpr double BITS = 60, MOST = 40;
        const double weight = static_cast<double>(center.weight), mean = static_cast<double>(center.sum) / weight;
        const double largest =
            std::sqrt(weight * spread) + weight * std::fabs(mean) * 0x1p-50 + static_cast<double>(rows);
        const double bits = BITS - std::log2(std::max(largest, std::fabs(mean) + 1.0));
        ScaledMean out;
        out.shift = static_cast<int>(std::clamp(std::floor(bits), 0.0, MOST));
        const Wide scaled = static_cast<Wide>(center.sum) * (Wide{1} << out.shift);
        out.whole = static_cast<std::int64_t>(scaled / center.weight);
        out.rest = static_cast<double>(scaled - static_cast<Wide>(out.whole) * center.weight) / weight;
        return out;
    }
    std::int64_t of(std::int64_t weight, std::int64_t sum) const {
        return static_cast<std::int64_t>((static_cast<std::uint64_t>(sum) << shift) -
                                         static_cast<std::uint64_t>(whole) * static_cast<std::uint64_t>(weight));
    }
    // The factor of squares of scaled sums.
    double unit_of_squares() const { return std::ldexp(1.0, -2 * shift); }
};

}  // namespace hornbeam
