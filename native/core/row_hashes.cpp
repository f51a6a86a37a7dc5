#include "core/row_hashes.hpp"

#include <bit>
#include <limits>

#include "core/random.hpp"

namespace hornbeam {
namespace {

// The finalizer of splitmix64 without its addition.
std::uint64_t with_value(std::uint64_t hash, std::uint64_t value) {
    return mix(((hash + GOLDEN_GAMMA) ^ value) - GOLDEN_GAMMA);
}

}  // namespace

void add_numbers(std::span<std::uint64_t> hashes, const Reals& values) {
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const double x = values[i];
        const double same = x == x ? x + 0.0 : std::numeric_limits<double>::quiet_NaN();
        hashes[i] = with_value(hashes[i], std::bit_cast<std::uint64_t>(same));
    }
}

void add_levels(std::span<std::uint64_t> hashes, const std::int32_t* codes, std::span<const std::uint64_t> of_level) {
    for (std::size_t i = 0; i < hashes.size(); ++i)
        hashes[i] = with_value(hashes[i], codes[i] < 0 ? of_level.back() : of_level[codes[i]]);
}

HashedRows rows_up_to(std::uint64_t limit, std::uint64_t key, std::int64_t first_row, std::int64_t n_rows) {
    HashedRows found;
    for (std::int64_t row = first_row; row < first_row + n_rows; ++row) {
        const std::uint64_t hash = mix(static_cast<std::uint64_t>(row) ^ key);
        if (hash > limit) continue;
        found.rows.push_back(row);
        found.hashes.push_back(hash);
    }
    return found;
}

}  // namespace hornbeam
