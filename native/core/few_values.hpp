// Finds the distinct values of a column that has only a few of them, and the code of each row. One pass with a small
// hash table; a column with many distinct values is rejected after its first few hundred rows.
#pragma once

#include <cstdint>

#include "core/data.hpp"

namespace hornbeam {

// Fills the values and codes of a numeric column and returns true; returns false and leaves `out` unchanged if the
// column has more than `max_values` distinct values.
bool few_values(const double* reals, std::int64_t n_rows, std::uint32_t max_values, ReadyColumn& out);

}  // namespace hornbeam
