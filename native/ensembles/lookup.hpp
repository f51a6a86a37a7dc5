// Gathers the cells of a few columns for the rows of a node, and finds the range of such cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hornbeam {

// The number of columns gathered in one pass over the rows; the cells of a row are contiguous.
inline constexpr int FETCH_WIDTH = 4;

// Some rows of a table in which the cells of a row are contiguous.
template <class Cell>
struct TableRows {
    const Cell* by_row;
    std::size_t stride;
    const std::uint32_t* rows;
    std::int32_t n;
};

template <int N, class Cell>
void fetch_columns(const TableRows<Cell>& from, const std::int32_t* columns, Cell* const* to) {
    for (std::int32_t i = 0; i < from.n; ++i) {
        const Cell* row = from.by_row + from.rows[i] * from.stride;
        for (int j = 0; j < N; ++j) to[j][i] = row[columns[j]];
    }
}

// Gathers up to FETCH_WIDTH columns for the rows of a node, each to its own array.
template <class Cell>
void fetch(const TableRows<Cell>& from, int n_columns, const std::int32_t* columns, Cell* const* to) {
    if (n_columns == 1) fetch_columns<1>(from, columns, to);
    if (n_columns == 2) fetch_columns<2>(from, columns, to);
    if (n_columns == 3) fetch_columns<3>(from, columns, to);
    if (n_columns == 4) fetch_columns<4>(from, columns, to);
}

// The lowest and the highest of n >= 1 cells.
template <class Cell>
std::pair<Cell, Cell> range_of(const Cell* cells, std::int32_t n);

}  // namespace hornbeam
