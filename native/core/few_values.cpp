// Codes of columns with few distinct values (few_values.hpp).
#include "core/few_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/keys.hpp"
#include "core/portable.hpp"

namespace hornbeam {
namespace {

constexpr std::uint16_t NONE = 0xFFFF;

// Hash table of the distinct values, numbered in the order of their first row.
class Seen {
  public:
    explicit Seen(std::uint32_t max_values) : max_values_(max_values) { codes_.fill(NONE); }
    // The number of a value; NONE if there are too many distinct values.
    std::uint16_t of(double x) {
        const std::uint64_t key = ordered_bits(x);
        for (std::size_t at = (key * 0x9E3779B97F4A7C15ULL) >> (64 - BITS);; at = (at + 1) % SIZE) {
            if (codes_[at] == NONE) return add(at, key, x);
            if (keys_[at] == key) return codes_[at];
        }
    }
    const std::vector<double>& values() const { return values_; }

  private:
    static constexpr int BITS = 10;
    static constexpr std::size_t SIZE = std::size_t{1} << BITS;

    std::uint16_t add(std::size_t at, std::uint64_t key, double x) {
        if (values_.size() == std::min<std::size_t>(max_values_, SIZE / 2)) return NONE;
        keys_[at] = key;
        codes_[at] = static_cast<std::uint16_t>(values_.size());
        values_.push_back(x + 0.0);
        return codes_[at];
    }

    std::uint32_t max_values_;
    std::array<std::uint64_t, SIZE> keys_;
    std::array<std::uint16_t, SIZE> codes_;
    std::vector<double> values_;
};

// Writes the codes 0 and 1 of the lower and the higher of two values; false if the column has a third value.
HORNBEAM_CLONES bool two_codes(const double* reals, std::int64_t n, double low, double high, std::uint8_t* codes) {
    constexpr std::int64_t BLOCK = 1024;
    for (std::int64_t begin = 0; begin < n; begin += BLOCK) {
        std::int64_t fits = 0;
        const std::int64_t end = std::min(n, begin + BLOCK);
        for (std::int64_t i = begin; i < end; ++i) fits += (reals[i] == low) | (reals[i] == high);
        if (fits != end - begin) return false;
        for (std::int64_t i = begin; i < end; ++i) codes[i] = reals[i] == high;
    }
    return true;
}

// Columns with two values are common (one-hot codes) and need no hash table.
bool two_values(const double* reals, std::int64_t n, ReadyColumn& out) {
    const double first = reals[0];
    const double* other = std::find_if(reals, reals + n, [&](double x) { return x != first; });
    if (other == reals + n || std::isnan(first) || std::isnan(*other)) return false;
    const double low = std::min(first, *other), high = std::max(first, *other);
    Codes codes = packed<std::uint8_t>(n, [](std::int64_t) { return 0; });
    if (!two_codes(reals, n, low, high, codes.data.get())) return false;
    out.codes = std::move(codes);
    out.n_codes = 2;
    out.values = {low + 0.0, high + 0.0};
    return true;
}

}  // namespace

bool few_values(const double* reals, std::int64_t n_rows, std::uint32_t max_values, ReadyColumn& out) {
    if (n_rows > 0 && two_values(reals, n_rows, out)) return true;
    Seen seen(max_values);
    std::vector<std::uint16_t> number;
    number.reserve(std::min<std::int64_t>(n_rows, 4096));
    for (std::int64_t row = 0; row < n_rows; ++row) {
        const bool known = !std::isnan(reals[row]);
        const std::uint16_t code = known ? seen.of(reals[row]) : NONE;
        if (known && code == NONE) return false;
        number.push_back(code);
    }
    const auto m = static_cast<std::uint32_t>(seen.values().size());
    std::vector<std::uint16_t> order(m), rank(m);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return seen.values()[a] < seen.values()[b]; });
    out.n_codes = m;
    for (std::uint32_t i = 0; i < m; ++i) {
        rank[order[i]] = static_cast<std::uint16_t>(i);
        out.values.push_back(seen.values()[order[i]]);
    }
    out.codes = packed_for(m, n_rows, [&](std::int64_t i) { return number[i] == NONE ? m : rank[number[i]]; });
    out.has_missing = std::find(number.begin(), number.end(), NONE) != number.end();
    return true;
}

}  // namespace hornbeam
