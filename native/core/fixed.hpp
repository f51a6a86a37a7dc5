// How are weights and numbers turned into integers, so that their sums are exact and do not depend on the order of
// rows?
//
//   weights   all equal: one unit a row. Whole numbers (or whole multiples of a power of two) with a small total:
//   exactly.
//             Others: multiples of the power of two that keeps the total below 2^61 (2^-41 of the total for a million
//             rows).
//   numbers   y = origin + integer * unit; origin is the value nearest the middle of the range, unit the power of two
//   that
//             keeps the sum of |weight * (y - origin)| below 2^61.
#pragma once

#include <cstdint>

#include "core/data.hpp"

namespace hornbeam {

// `weights` may be null. All weights are finite and above 0, all numbers finite.
// `is_fine`: rows will be divided, so the unit is as small as their total allows.
void set_weights(Target& target, const double* weights, std::int64_t n, bool is_fine = false);
void set_numbers(Target& target, const double* numbers, std::int64_t n);

}  // namespace hornbeam
