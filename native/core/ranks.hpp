// How is a column of doubles turned into ranks, exactly and fast?
//
//   few distinct values   codes by a small table of the values seen; nothing is sorted but those
//   many                  a radix sort of (upper half of an order-preserving 64-bit key, row); the few rows whose upper
//                         halves are equal are then sorted by the lower half
#pragma once

#include <cstdint>

#include "core/data.hpp"

namespace hornbeam {

// A column with at most this many distinct values is kept as a code a row; one with more as a sorted list.
inline constexpr std::uint32_t MOST_CODES = 256;

// Ranks of a numeric column; NaN is missing; -0.0 equals 0.0. The distinct values of a column with many are kept on
// demand.
ReadyColumn ranked(const double* reals, std::int64_t n_rows, bool keep_values);

// Codes of an ordinal or nominal column; negatives are missing.
ReadyColumn coded(const SourceColumn& column, std::int64_t n_rows);

// Sorts words by their upper half, stably where the lower halves ascend.
void sort_words(std::uint64_t* words, std::int64_t n);

// Lists only the rows whose code is not the commonest, where that is worth while.
void make_sparse(ReadyColumn& column, std::int64_t n_rows);

}  // namespace hornbeam
