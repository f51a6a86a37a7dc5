#include "pieces/column_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "core/random.hpp"

namespace hornbeam {
namespace {

constexpr double TWO_52 = 4503599627370496.0;  // from here on, every number is an integer

bool is_integer(double value) {
    return std::abs(value) >= TWO_52 || static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

// A hash table of numbers, which grows.
class NumberSet {
  public:
    explicit NumberSet(std::size_t limit) : limit_(limit), slots_(FIRST_SLOTS, EMPTY) {}

    // Whether there is room for a number, or it is known already.
    bool add(std::uint64_t bits) {
        std::size_t at = place(bits);
        while (slots_[at] != EMPTY && slots_[at] != bits) at = (at + 1) & (slots_.size() - 1);
        if (slots_[at] == bits) return true;
        if (size_ == limit_) return false;
        slots_[at] = bits;
        if (++size_ * 2 > slots_.size()) grow();
        return true;
    }

    std::vector<double> in_order() const {
        std::vector<double> found;
        found.reserve(size_);
        for (const std::uint64_t bits : slots_)
            if (bits != EMPTY) found.push_back(std::bit_cast<double>(bits));
        std::sort(found.begin(), found.end());
        return found;
    }

  private:
    static constexpr std::uint64_t EMPTY = ~std::uint64_t{0};  // a NaN, so it is no number
    static constexpr std::size_t FIRST_SLOTS = 512;

    std::size_t place(std::uint64_t bits) const {
        return static_cast<std::size_t>((bits * GOLDEN_GAMMA) >> (64 - std::countr_zero(slots_.size())));
    }

    void grow() {
        std::vector<std::uint64_t> before(slots_.size() * 2, EMPTY);
        before.swap(slots_);
        for (const std::uint64_t bits : before) {
            if (bits == EMPTY) continue;
            std::size_t at = place(bits);
            while (slots_[at] != EMPTY) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = bits;
        }
    }

    std::size_t limit_, size_ = 0;
    std::vector<std::uint64_t> slots_;
};

}  // namespace

NumberFacts facts_of(std::span<const double> values) {
    constexpr std::size_t LANES = 4;  // comparisons that do not wait for each other
    NumberFacts found;
    double low[LANES], high[LANES];
    std::fill_n(low, LANES, found.minimum);
    std::fill_n(high, LANES, found.maximum);
    std::int64_t n_missing[LANES] = {};
    const auto add = [&](double x, std::size_t lane) {
        low[lane] = x < low[lane] ? x : low[lane];
        high[lane] = x > high[lane] ? x : high[lane];
        n_missing[lane] += x != x;
    };
    std::size_t row = 0;
    for (; row + LANES <= values.size(); row += LANES)
        for (std::size_t lane = 0; lane < LANES; ++lane) add(values[row + lane], lane);
    for (; row < values.size(); ++row) add(values[row], 0);
    for (std::size_t lane = 0; lane < LANES; ++lane) {
        found.minimum = std::min(found.minimum, low[lane]);
        found.maximum = std::max(found.maximum, high[lane]);
        found.n_missing += n_missing[lane];
    }
    // Of 0 and -0, which are equal, the result does not depend on the order of the values.
    found.minimum += 0.0;
    found.maximum += 0.0;
    found.is_integer = std::all_of(values.begin(), values.end(), [](double x) { return x != x || is_integer(x); });
    return found;
}

std::optional<std::vector<double>> distinct_numbers(std::span<const double> values, std::size_t limit) {
    NumberSet numbers(limit);
    for (const double x : values)
        if (x == x && !numbers.add(std::bit_cast<std::uint64_t>(x + 0.0))) return std::nullopt;
    return numbers.in_order();
}

std::vector<std::int64_t> count_codes(std::span<const std::int32_t> codes, std::int32_t n_codes) {
    std::vector<std::int64_t> found(static_cast<std::size_t>(n_codes) + 1);
    for (const std::int32_t code : codes) {
        if (code >= n_codes) throw std::invalid_argument("A code is too large.");
        ++found[code < 0 ? 0 : static_cast<std::size_t>(code) + 1];
    }
    return found;
}

}  // namespace hornbeam
