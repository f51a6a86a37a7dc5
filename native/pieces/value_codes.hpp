// Codes of values: the number of cuts below a number, the entry of a table for a level or for a known number.
#pragma once

#include <cstdint>
#include <span>

namespace hornbeam {

// The number of cuts below each value, `missing` for NaN.
template <class Code>
void code_numbers(std::span<const double> values, std::span<const double> cuts, Code missing, Code* codes);

// The entry of `table` for the place of each value in `numbers`, which ascend; the last one for NaN. False if some
// value is none of the numbers.
template <class Code>
bool code_known_numbers(std::span<const double> values, std::span<const double> numbers, std::span<const Code> table,
                        Code* codes);

// The entry of `table` for each level; the last one for levels below 0, which are missing values.
template <class Code>
void code_levels(std::span<const std::int32_t> levels, std::span<const Code> table, Code* codes);

}  // namespace hornbeam
