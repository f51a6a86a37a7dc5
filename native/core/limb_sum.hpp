// LimbSum: a sum of doubles that does not depend on their order, rounded once when it is read. A number is an integer
// times a power of two; its bits are added to limbs of 32 bits, which have room for the carries of 2^31 numbers.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hornbeam {

class LimbSum {
  public:
    // The limbs, the number of infinite values above 0, and that of other values that are not finite.
    static constexpr int LIMBS = 67, INFINITE = LIMBS, OTHER = LIMBS + 1, SIZE = LIMBS + 2;

    void add(double x) {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const auto exponent = static_cast<int>(bits >> 52 & 0x7FF);
        if (exponent == 0x7FF) {
            ++cells_[x > 0 ? INFINITE : OTHER];
            return;
        }
        // x = digits * 2^(place - 1074)
        const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
        const std::uint64_t digits = exponent > 0 ? fraction | std::uint64_t{1} << 52 : fraction;
        const int place = exponent > 0 ? exponent - 1 : 0, limb = place >> 5, shift = place & 31;
        const std::uint64_t low = (digits & 0xFFFFFFFF) << shift, high = (digits >> 32) << shift;
        const std::int64_t sign = bits >> 63 ? -1 : 1;
        cells_[limb] += sign * static_cast<std::int64_t>(low & 0xFFFFFFFF);
        cells_[limb + 1] += sign * static_cast<std::int64_t>((low >> 32) + (high & 0xFFFFFFFF));
        cells_[limb + 2] += sign * static_cast<std::int64_t>(high >> 32);
    }

    void add(const LimbSum& other) {
        for (int i = 0; i < SIZE; ++i) cells_[i] += other.cells_[i];
    }

    double value() const {
        if (cells_[OTHER] != 0) return std::numeric_limits<double>::quiet_NaN();
        if (cells_[INFINITE] != 0) return std::numeric_limits<double>::infinity();
        std::array<std::int64_t, LIMBS + 1> limbs{};
        std::int64_t carry = 0;
        for (int i = 0; i < LIMBS; ++i) {
            const std::int64_t sum = cells_[i] + carry;
            carry = sum >> 32;
            limbs[i] = sum & 0xFFFFFFFF;
        }
        limbs[LIMBS] = carry;
        if (carry < 0) return -negated().value();
        int top = LIMBS;
        while (top > 0 && limbs[top] == 0) --top;
        if (limbs[top] == 0) return 0.0;
        return rounded(limbs, top);
    }

    const std::array<std::int64_t, SIZE>& cells() const { return cells_; }

  private:
    LimbSum negated() const {
        LimbSum out;
        for (int i = 0; i < LIMBS; ++i) out.cells_[i] = -cells_[i];
        return out;
    }

    // The highest 64 bits, the last of which is set if any bit below them is: converting rounds them once.
    static double rounded(const std::array<std::int64_t, LIMBS + 1>& limbs, int top) {
        const auto at = [&](int i) { return i >= 0 ? static_cast<std::uint64_t>(limbs[i]) : 0; };
        std::uint64_t bits = at(top) << 32 | at(top - 1);
        const int shift = std::countl_zero(bits);
        std::uint64_t rest = at(top - 2) << 32;
        if (shift > 0) {
            bits = bits << shift | rest >> (64 - shift);
            rest <<= shift;
        }
        for (int i = top - 3; i >= 0; --i) rest |= at(i);
        bits |= rest != 0;
        return std::ldexp(static_cast<double>(bits), 32 * (top - 1) - 1074 - shift);
    }

    std::array<std::int64_t, SIZE> cells_{};
};

}  // namespace hornbeam
