// What do a few rows have in common?  Sets of up to 64 rows are words with a bit a row: a node, a class, a column of
// two values, what lies below a cut. What two of them share is counted at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ensembles/lanes.hpp"

namespace hornbeam {

inline constexpr int FEW = 64;  // rows of a word

// A word with the lowest n bits, 1 <= n <= FEW.
constexpr std::uint64_t first_bits(std::int32_t n) { return ~std::uint64_t{0} >> (FEW - n); }

// The columns of two values of n <= FEW rows, whose bits come as a word a row: a word a column, 0 where it has one
// value. Returns those that have two.
std::uint64_t turn(const std::uint64_t* words, std::int32_t n, std::uint64_t* columns);

// Of the rows of a set, the cells of four columns: `to` gets four per row, `low` and `high` a number per column.
void gather_few(const ColumnCells<double>& cells, const std::uint32_t* rows, std::uint64_t set, double* to, double* low,
                double* high);
void gather_few(const ColumnCells<float>& cells, const std::uint32_t* rows, std::uint64_t set, double* to, double* low,
                double* high);

// Which rows of a set lie at or below the four cuts of cells gathered so.
void part_few(const double* cells, const double* cuts, std::uint64_t set, std::uint64_t* below);

// How many rows of every class are in each of n sets, n numbers a class.
void count(const std::uint64_t* sets, std::int32_t n, const std::uint64_t* classes, int n_classes,
           std::int64_t* counts);

}  // namespace hornbeam
