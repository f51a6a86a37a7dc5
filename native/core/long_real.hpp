// LongReal: an unevaluated sum of two doubles, about 106 bits.
#pragma once

#include <cmath>
#include <cstdint>

namespace hornbeam {

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
    // Adds many numbers one by one; `settled` follows the last of them.
    void add(double x) {
        const LongReal s = sum(high, x);
        high = s.high;
        low += s.low;
    }
    LongReal settled() const { return sum(high, low); }
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

// The squares about the mean of rows from their weight and the sums of weight * number and weight * number^2.
inline double squares_about_mean(double weight, const LongReal& sum, const LongReal& squares) {
    return (squares + -sum.squared().over(weight)).high;
}

}  // namespace hornbeam
