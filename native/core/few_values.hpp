// Does a column of doubles have only a few distinct values, and which has each row?  One look at every row in a small
// table of the values seen; a column with many is given up after the first few hundred rows.
#pragma once

#include <cstdint>

#include "core/data.hpp"

namespace hornbeam {

// Fills values and codes of a numeric column and says true, or leaves it alone when it has more than `most` values.
bool few_values(const double* reals, std::int64_t n_rows, std::uint32_t most, ReadyColumn& out);

}  // namespace hornbeam
