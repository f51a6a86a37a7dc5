// Bit sets of up to 64 rows, as words with one bit per row: the rows of a node, of a class, with the second value of a
// binary column, below a cut. The rows in two sets are counted with one instruction.
#pragma once

#include <cstdint>

#include "ensembles/lanes.hpp"

namespace hornbeam {

inline constexpr int BITSET_ROWS = 64;  // rows per word

// A word with the lowest n bits set, 1 <= n <= BITSET_ROWS.
constexpr std::uint64_t first_bits(std::int32_t n) { return ~std::uint64_t{0} >> (BITSET_ROWS - n); }

// Converts one word per row, with a bit per binary column, to one word per column with a bit per row; n <= BITSET_ROWS
// rows. The word of a column with one value is 0. Returns the bit set of the columns with two values.
std::uint64_t transpose_bits(const std::uint64_t* words, std::int32_t n, std::uint64_t* columns);

// Gathers the cells of four columns for the rows of a set: four per row to `to`, the lowest and highest cell per column
// to `low` and `high`.
template <class Cell>
void gather_set(const ColumnCells<Cell>& cells, const std::uint32_t* rows, std::uint64_t set, double* to, double* low,
                double* high);

// Finds the rows of a set at or below the cuts of four columns; `cells` were gathered by gather_set.
void rows_below(const double* cells, const double* cuts, std::uint64_t set, std::uint64_t* below);

// Counts the rows of every class in each of n sets: n counts per class.
void count_rows(const std::uint64_t* sets, std::int32_t n, const std::uint64_t* classes, int n_classes,
                std::int64_t* counts);

}  // namespace hornbeam
