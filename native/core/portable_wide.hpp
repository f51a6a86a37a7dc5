// portable::Wide: a signed integer of 128 bits in standard C++, for compilers without one. Arithmetic wraps at 2^128,
// and conversion to double rounds to nearest even, as the built-in type of GCC and Clang does.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace hornbeam::portable {

struct Product {
    std::uint64_t high, low;
};

// The 128 bits of a * b, from products of 32 bits.
constexpr Product full_product(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t LOW = 0xFFFFFFFFu;
    const std::uint64_t low = (a & LOW) * (b & LOW), left = (a >> 32) * (b & LOW), right = (a & LOW) * (b >> 32);
    const std::uint64_t middle = (low >> 32) + (left & LOW) + (right & LOW);
    return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32), (middle << 32) | (low & LOW)};
}

class Wide {
  public:
    constexpr Wide() = default;
    template <std::integral T>
    constexpr Wide(T value) noexcept  // implicit: integers mix with this type as with the built-in one
        : high_(std::is_signed_v<T> && value < 0 ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(value)) {}
    // The integral part; the absolute value must be below 2^127.
    explicit Wide(double value) noexcept {
        const double size = std::trunc(std::fabs(value)), high = std::floor(size * 0x1p-64);
        *this = Wide(static_cast<std::uint64_t>(high), static_cast<std::uint64_t>(size - high * 0x1p64));
        if (value < 0) *this = -*this;
    }

    template <std::integral T>
    constexpr explicit operator T() const noexcept {
        return static_cast<T>(low_);
    }
    explicit operator double() const noexcept {
        const Wide size = is_negative() ? -*this : *this;
        const int shift = size.high_ == 0 ? 0 : 64 - std::countl_zero(size.high_);
        std::uint64_t top = size.shifted_right(shift).low_;
        // A set bit among those shifted out breaks the tie at half a unit of the last digit.
        if (shift > 0 && size.low_ << (64 - shift) != 0) top |= 1;
        const double value = std::ldexp(static_cast<double>(top), shift);
        return is_negative() ? -value : value;
    }

    constexpr Wide operator-() const noexcept { return Wide(~high_ + (low_ == 0), ~low_ + 1); }
    friend constexpr Wide operator+(Wide a, Wide b) noexcept {
        const std::uint64_t low = a.low_ + b.low_;
        return Wide(a.high_ + b.high_ + (low < a.low_), low);
    }
    friend constexpr Wide operator-(Wide a, Wide b) noexcept {
        return Wide(a.high_ - b.high_ - (a.low_ < b.low_), a.low_ - b.low_);
    }
    friend constexpr Wide operator*(Wide a, Wide b) noexcept {
        const Product product = full_product(a.low_, b.low_);
        return Wide(product.high + a.high_ * b.low_ + a.low_ * b.high_, product.low);
    }
    // Rounds towards zero.
    friend constexpr Wide operator/(Wide a, Wide b) noexcept {
        const bool is_negative = a.is_negative() != b.is_negative();
        const Wide quotient = divided(a.is_negative() ? -a : a, b.is_negative() ? -b : b);
        return is_negative ? -quotient : quotient;
    }
    friend constexpr Wide operator<<(Wide a, int n) noexcept {
        if (n == 0) return a;
        if (n >= 64) return Wide(a.low_ << (n - 64), 0);
        return Wide(a.high_ << n | a.low_ >> (64 - n), a.low_ << n);
    }
    // Rounds down: the sign fills the digits that become free.
    friend constexpr Wide operator>>(Wide a, int n) noexcept {
        return a.is_negative() ? -Wide(1) - (-Wide(1) - a).shifted_right(n) : a.shifted_right(n);
    }
    constexpr Wide& operator+=(Wide other) noexcept { return *this = *this + other; }
    constexpr Wide& operator-=(Wide other) noexcept { return *this = *this - other; }
    friend constexpr bool operator==(Wide a, Wide b) noexcept = default;

  private:
    constexpr Wide(std::uint64_t high, std::uint64_t low) noexcept : high_(high), low_(low) {}
    constexpr bool is_negative() const noexcept { return high_ >> 63 != 0; }
    constexpr Wide shifted_right(int n) const noexcept {  // of a number that is not negative
        if (n == 0) return *this;
        if (n >= 64) return Wide(std::uint64_t{0}, high_ >> (n - 64));
        return Wide(high_ >> n, low_ >> n | high_ << (64 - n));
    }
    // Long division of numbers that are not negative, one bit of the quotient per step.
    static constexpr Wide divided(Wide a, Wide b) noexcept {
        Wide quotient, rest;
        for (int bit = 127; bit >= 0; --bit) {
            rest = rest << 1;
            rest.low_ |= (bit >= 64 ? a.high_ >> (bit - 64) : a.low_ >> bit) & 1;
            quotient = quotient << 1;
            if (rest.high_ > b.high_ || (rest.high_ == b.high_ && rest.low_ >= b.low_)) {
                rest -= b;
                quotient.low_ |= 1;
            }
        }
        return quotient;
    }

    std::uint64_t high_ = 0, low_ = 0;
};

}  // namespace hornbeam::portable
