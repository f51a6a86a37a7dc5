// Where do the rows of a node go when it is split?  Eight at a time, those of each side keep their order.
#pragma once

#include <cstdint>

namespace hornbeam {

inline constexpr std::int32_t ROWS_AT_ONCE = 8;

// Of n rows, those of branch 0 go to `left`, the others to `right`; `is_right` has a byte a row, 0 or 1. On both sides
// there is room for ROWS_AT_ONCE more than arrive.
void part_rows(const std::uint32_t* rows, const std::uint8_t* is_right, std::int32_t n, std::uint32_t* left,
               std::uint32_t* right);

}  // namespace hornbeam
