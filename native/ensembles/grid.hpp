// Where does a tree of a forest find the value of a row and column?  In two copies that all trees share: column by
// column for large nodes, whose rows are dense, and row by row for small ones, whose few rows then stay in the cache
// all the way down.
//
//     codes    ranks of the distinct values, as narrow as they fit: for the best cuts
//     reals    the values themselves: for random cuts, which sort nothing
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"

namespace hornbeam {

template <class Cell>
struct Cells {
    std::vector<const Cell*> by_column;
    std::vector<Cell> by_row;
    std::vector<std::vector<Cell>> kept;  // what by_column points to, where it is ours
};

struct Grid {
    std::int64_t n_rows = 0;
    std::int32_t n_columns = 0;
    std::vector<std::vector<double>> values;  // codes: the distinct values of every column, ascending
    Cells<std::uint16_t> narrow;
    Cells<std::uint32_t> wide;
    Cells<double> reals;
    bool is_random = false, is_narrow = false;
};

// No value may be missing, no column nominal.
std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                int threads, Stop& stop);

}  // namespace hornbeam
