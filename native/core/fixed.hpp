// Converts sample weights and regression targets to integers, so that their sums are exact in any row order.
//
//   weights   all equal: one unit per row
//             integers, or integer multiples of a power of two, with a small total: exact
//             other: multiples of the power of two that keeps the total below 2^61 (2^-41 of the total for 10^6 rows)
//   targets   y = origin + integer * unit; the origin is the value nearest to the middle of the range, the unit is the
//             power of two that keeps the sum of |weight * (y - origin)| below 2^61
#pragma once

#include <cstdint>
#include <vector>

#include "core/data.hpp"

namespace hornbeam {

// `weights` may be null. All weights must be finite and above 0, all targets finite.
// `is_fine`: rows will be distributed over several branches, so the unit is as small as the total allows.
void set_weights(Target& target, const double* weights, std::int64_t n, bool is_fine = false);
void set_numbers(Target& target, const double* numbers, std::int64_t n);
// Several numbers per row, each with its own origin and unit.
void set_several(Target& target, const std::vector<const double*>& numbers, std::int64_t n);

}  // namespace hornbeam
