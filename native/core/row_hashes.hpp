// Hashes of rows: of their values, to which one column after the other is added, and of their numbers.
#pragma once

#include <span>
#include <vector>

#include "core/data.hpp"

namespace hornbeam {

// Equal numbers have the same hash: also 0 and -0, and all missing values.
void add_numbers(std::span<std::uint64_t> hashes, const Reals& values);
// `of_level` has a hash per level, and one for missing values at the end.
void add_levels(std::span<std::uint64_t> hashes, const std::int32_t* codes, std::span<const std::uint64_t> of_level);

// Those of consecutive rows whose hash, mix(row ^ key), is at most `limit`.
struct HashedRows {
    std::vector<std::int64_t> rows;
    std::vector<std::uint64_t> hashes;
};
HashedRows rows_up_to(std::uint64_t limit, std::uint64_t key, std::int64_t first_row, std::int64_t n_rows);

}  // namespace hornbeam
