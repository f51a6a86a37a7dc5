#include "core/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

namespace hornbeam {
namespace {

struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
};

// The bits of a double, changed so that unsigned order is numeric order.
std::uint64_t ordered_bits(double x) {
    if (x == 0.0) x = 0.0;  // -0.0 and 0.0 are one value
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return (bits >> 63) ? ~bits : bits | (std::uint64_t{1} << 63);
}

double from_ordered_bits(std::uint64_t key) {
    return std::bit_cast<double>((key >> 63) ? key & ~(std::uint64_t{1} << 63) : ~key);
}

constexpr int DIGIT_BITS = 11;
constexpr int N_DIGITS = 6;
constexpr std::uint32_t N_BUCKETS = 1u << DIGIT_BITS;

std::uint32_t digit(std::uint64_t key, int d) { return (key >> (d * DIGIT_BITS)) & (N_BUCKETS - 1); }

// Least significant digit first; a digit that all keys share costs nothing. Stable, so equal keys stay in row order.
void radix_sort(std::unique_ptr<Keyed[]>& items, std::int64_t n) {
    auto counts = std::make_unique<std::array<std::array<std::uint32_t, N_BUCKETS>, N_DIGITS>>();
    for (auto& one : *counts) one.fill(0);
    for (std::int64_t i = 0; i < n; ++i)
        for (int d = 0; d < N_DIGITS; ++d) ++(*counts)[d][digit(items[i].key, d)];
    std::unique_ptr<Keyed[]> spare(new Keyed[n]);
    for (int d = 0; d < N_DIGITS; ++d) {
        auto& count = (*counts)[d];
        if (count[digit(items[0].key, d)] == n) continue;
        std::uint32_t at = 0;
        for (auto& c : count) at += std::exchange(c, at);
        for (std::int64_t i = 0; i < n; ++i) spare[count[digit(items[i].key, d)]++] = items[i];
        std::swap(items, spare);
    }
}

void sort_keys(std::unique_ptr<Keyed[]>& items, std::int64_t n) {
    constexpr std::int64_t SMALL = 512;
    if (n > SMALL) return radix_sort(items, n);
    std::sort(items.get(), items.get() + n,
              [](const Keyed& a, const Keyed& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; });
}

}  // namespace

ReadyColumn ranked(const double* reals, std::int64_t n_rows, bool keep_values) {
    ReadyColumn out;
    std::unique_ptr<Keyed[]> items(new Keyed[n_rows]);
    std::vector<std::uint32_t> missing;
    std::int64_t known = 0;
    for (std::int64_t row = 0; row < n_rows; ++row) {
        if (std::isnan(reals[row]))
            missing.push_back(static_cast<std::uint32_t>(row));
        else
            items[known++] = {ordered_bits(reals[row]), static_cast<std::uint32_t>(row)};
    }
    out.has_missing = !missing.empty();
    if (known > 0) sort_keys(items, known);
    std::int64_t distinct = known > 0 ? 1 : 0;
    for (std::int64_t i = 1; i < known; ++i) distinct += items[i].key != items[i - 1].key;
    out.n_codes = static_cast<std::uint32_t>(distinct);
    out.is_listed = out.n_codes > MOST_CODES;
    keep_values = keep_values || !out.is_listed;
    if (keep_values) out.values.reserve(distinct);
    if (out.is_listed)
        out.sorted.resize(n_rows);
    else
        out.codes.assign(n_rows, out.n_codes);
    std::uint32_t rank = 0;
    for (std::int64_t i = 0; i < known; ++i) {
        if (i > 0 && items[i].key != items[i - 1].key) ++rank;
        if (keep_values && (i == 0 || items[i].key != items[i - 1].key))
            out.values.push_back(from_ordered_bits(items[i].key));
        if (out.is_listed)
            out.sorted[i] = (static_cast<std::uint64_t>(rank) << 32) | items[i].row;
        else
            out.codes[items[i].row] = rank;
    }
    if (out.is_listed)
        for (const std::uint32_t row : missing)
            out.sorted[known++] = (static_cast<std::uint64_t>(ReadyColumn::NO_RANK) << 32) | row;
    return out;
}

ReadyColumn coded(const SourceColumn& column, std::int64_t n_rows) {
    ReadyColumn out;
    out.kind = column.kind;
    out.n_codes = static_cast<std::uint32_t>(column.n_levels);
    out.codes.resize(n_rows);
    for (std::int64_t row = 0; row < n_rows; ++row) {
        const std::int32_t code = column.codes[row];
        out.codes[row] = code < 0 ? out.n_codes : static_cast<std::uint32_t>(code);
        out.has_missing |= code < 0;
    }
    if (column.kind == Kind::ordinal) {
        std::vector<bool> is_present(out.n_codes + 1, false);
        for (const std::uint32_t code : out.codes) is_present[code] = true;
        for (std::uint32_t code = 0; code < out.n_codes; ++code)
            if (is_present[code]) out.values.push_back(code);
    }
    return out;
}

}  // namespace hornbeam
