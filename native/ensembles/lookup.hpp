// How are the cells of a few columns at a few rows fetched, and between which values do they lie?
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hornbeam {

// Columns that are fetched together: the cells of a row lie side by side.
inline constexpr int TOGETHER = 4;

// Some rows of a table whose cells lie side by side.
template <class Cell>
struct TableRows {
    const Cell* by_row;
    std::size_t stride;
    const std::uint32_t* rows;
    std::int32_t n;
};

template <int N, class Cell>
void fetch_some(const TableRows<Cell>& from, const std::int32_t* columns, Cell* const* to) {
    for (std::int32_t i = 0; i < from.n; ++i) {
        const Cell* row = from.by_row + from.rows[i] * from.stride;
        for (int j = 0; j < N; ++j) to[j][i] = row[columns[j]];
    }
}

// Up to TOGETHER columns of a node's rows, each into an array of its own.
template <class Cell>
void fetch(const TableRows<Cell>& from, int n_columns, const std::int32_t* columns, Cell* const* to) {
    if (n_columns == 1) fetch_some<1>(from, columns, to);
    if (n_columns == 2) fetch_some<2>(from, columns, to);
    if (n_columns == 3) fetch_some<3>(from, columns, to);
    if (n_columns == 4) fetch_some<4>(from, columns, to);
}

// The lowest and the highest of n >= 1 cells.
std::pair<std::uint16_t, std::uint16_t> range_of(const std::uint16_t* cells, std::int32_t n);
std::pair<std::uint32_t, std::uint32_t> range_of(const std::uint32_t* cells, std::int32_t n);

}  // namespace hornbeam
