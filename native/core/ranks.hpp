// Converts columns to ranks or codes.
//
//   few distinct values    codes by a small hash table; only the distinct values are sorted
//   many distinct values   a radix sort of (upper half of an order-preserving 64-bit key, row); the few rows with equal
//                          upper halves are then sorted by the lower half
#pragma once

#include <cstdint>

#include "core/data.hpp"

namespace hornbeam {

// A column with at most this many distinct values is stored as one code per row, one with more as a sorted list.
inline constexpr std::uint32_t MAX_CODES = 256;

// Ranks of a numeric column; NaN is missing; -0.0 equals 0.0. `keep_values` stores the distinct values of a listed
// column (those of a coded column are always stored).
ReadyColumn ranked(const double* reals, std::int64_t n_rows, bool keep_values);

// Codes of an ordinal or nominal column; negative codes are missing.
ReadyColumn coded(const SourceColumn& column, std::int64_t n_rows);

// Sorts 64-bit words by their upper half; the order is stable if the lower halves are ascending.
void sort_words(std::uint64_t* words, std::int64_t n);

// Converts a coded column to a list of the rows that do not have the most common code, if that is faster to search.
void make_sparse(ReadyColumn& column, std::int64_t n_rows);

}  // namespace hornbeam
