// exponential(x): e^x with the same bits on every machine, in a form that compilers vectorize: x = k ln 2 + r, e^r by
// its series, 2^k by the exponent bits. The error is at most two units in the last place; x is clamped to [-700, 700].
#pragma once

#include <bit>
#include <cstdint>

namespace hornbeam {

// 2^k e^r by Taylor's series to degree 13, for |r| <= ln 2 / 2; k is in the low bits of `shifted`.
[[gnu::always_inline]] inline double exponential_of_parts(double r, double shifted) {
    double sum = 1.0 / 6227020800.0;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    const auto power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    return sum * std::bit_cast<double>(power);
}

inline double exponential(double x) {
    constexpr double LOG2E = 1.4426950408889634074, HIGH = 6.93147180369123816490e-01, LOW = 1.90821492927058770002e-10;
    constexpr double SHIFT = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer, stored in the low bits
    x = x > 700.0 ? 700.0 : x;
    x = x < -700.0 ? -700.0 : x;
    const double shifted = x * LOG2E + SHIFT;
    const double k = shifted - SHIFT;
    const double r = (x - k * HIGH) - k * LOW;
    return exponential_of_parts(r, shifted);
}

}  // namespace hornbeam
