// The mean and the spread of the numbers of a node from long sums: the same digits as from the rows themselves if these
// have no weights.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/portable.hpp"
#include "nodes/node.hpp"
#include "pieces/request.hpp"

namespace hornbeam {

// An unevaluated sum of two doubles: about 106 bits.
struct LongReal {
    double high = 0.0, low = 0.0;

    static LongReal sum(double a, double b) {
        const double s = a + b, part = s - a;
        return {s, (a - (s - part)) + (b - part)};
    }
    // high * 2^bits + low, in units of 2^-bits
    static LongReal of(const std::int64_t* limbs, int bits) {
        const std::int64_t upper = limbs[0] >> 32, lower = limbs[0] - upper * (std::int64_t{1} << 32);
        LongReal out = sum(std::ldexp(static_cast<double>(upper), 32), static_cast<double>(lower));
        return out + sum(std::ldexp(static_cast<double>(limbs[1]), -bits), 0.0);
    }
    LongReal operator+(const LongReal& other) const {
        const LongReal s = sum(high, other.high);
        return sum(s.high, s.low + low + other.low);
    }
    LongReal operator-() const { return {-high, -low}; }
    LongReal times(double x) const {
        const double product = high * x;
        return sum(product, std::fma(high, x, -product) + low * x);
    }
    LongReal squared() const {
        const double product = high * high;
        return sum(product, std::fma(high, high, -product) + 2 * high * low);
    }
    LongReal over(double x) const {
        const double quotient = high / x;
        return sum(quotient, (std::fma(-quotient, x, high) + low) / x);
    }
};

struct NumberTotals {
    const std::int64_t* longs;
    double low, high;
};

// `totals` has rows, weight and sum.
inline void set_spread(const Target& target, const TargetUnits& units, bool is_weighted, const NumberTotals& numbers,
                       Totals& totals) {
    if (totals.rows == 0) return;
    const std::int64_t n = totals.rows;
    if (!is_weighted) {
        const std::int64_t centre = totals.sum() / n;
        Wide squares = (static_cast<Wide>(numbers.longs[0]) << units.limb_bits) + numbers.longs[1];
        squares += static_cast<Wide>(centre) * centre * n - static_cast<Wide>(centre) * totals.sum() * 2;
        const auto rest = static_cast<double>(totals.sum() - centre * n);
        totals.spread = (static_cast<double>(squares) - rest * rest / static_cast<double>(n)) * target.unit *
                        target.unit * target.weight_unit;
        totals.mean = target.origin + static_cast<double>(totals.sum()) / static_cast<double>(n) * target.unit;
    } else {
        const auto weight = static_cast<double>(totals.weight);
        const LongReal sum = LongReal::of(numbers.longs, units.limb_bits).times(units.unit);
        const LongReal squares = LongReal::of(numbers.longs + 2, units.limb_bits).times(units.square_unit);
        totals.spread = (squares + -sum.squared().over(weight)).high * target.weight_unit;
        totals.mean = target.origin + sum.high / weight;
    }
    totals.is_one_number = numbers.low == numbers.high;
    totals.spread = totals.is_one_number ? 0.0 : std::max(totals.spread, 0.0);
    if (totals.is_one_number) totals.mean = numbers.low;
}

}  // namespace hornbeam
