// Hashes of rows, to which the values of one column after the other are added.
#pragma once

#include <span>

#include "core/data.hpp"

namespace hornbeam {

// Equal numbers have the same hash: also 0 and -0, and all missing values.
void add_numbers(std::span<std::uint64_t> hashes, const Reals& values);
// `of_level` has a hash per level, and one for missing values at the end.
void add_levels(std::span<std::uint64_t> hashes, const std::int32_t* codes, std::span<const std::uint64_t> of_level);

}  // namespace hornbeam
