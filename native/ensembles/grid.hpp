// Where does a tree of a forest find the value of a row and column?  In two copies that all trees share: column by
// column for large nodes, whose rows are dense, and row by row for small ones, whose few rows then stay in the cache
// all the way down.
//
// A cell is the rank of its value among the distinct values of the column, as narrow as it fits: small, and whole
// numbers are compared. Where cuts are drawn at random a cell is the number itself.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"
#include "core/portable.hpp"

namespace hornbeam {

// Memory in pages as large as the system gives: rows are looked up all over it, and small pages would each be looked up
// first.
template <class Cell>
class LargePages {
  public:
    void resize(std::size_t n) {
        cells_.reset(static_cast<Cell*>(allocate_large(n * sizeof(Cell))));
        if (!cells_) throw std::bad_alloc();
    }
    Cell* data() { return cells_.get(); }
    const Cell* data() const { return cells_.get(); }

  private:
    struct Free {
        void operator()(Cell* cells) const { free_large(cells); }
    };
    std::unique_ptr<Cell[], Free> cells_;
};

template <class Cell>
struct Cells {
    std::vector<const Cell*> by_column;
    LargePages<Cell> by_row;
    // What by_column points to, where it is ours.
    std::vector<std::vector<Cell>> kept;
    LargePages<Cell> columns;
};

// Columns of two values are bits of one word a row: a node looks at all of them at once.
struct Grid {
    std::int64_t n_rows = 0;
    std::int32_t n_columns = 0;
    // Which row of the table a row is. Empty: they come as in the table; else in the order of their classes.
    std::vector<std::uint32_t> order;
    // The distinct values of a column, ascending; where cuts are drawn at random, of columns of two values alone.
    std::vector<std::vector<double>> values;
    std::vector<std::int32_t> bit;    // of a column of two values; -1: it has a cell
    std::vector<std::int32_t> place;  // of a column's cell in a row
    std::int32_t width = 0;           // columns that have a cell; of numbers, a whole number of lanes
    std::int32_t stride = 0;          // from row to row, in cells
    // The bits: a word a row; those of numbers lie behind the cells of a row too, for small nodes.
    LargePages<std::uint64_t> bits;
    std::int32_t word = -1;  // where they lie in a row, in cells; -1: they do not
    template <class Cell>
    std::uint64_t word_of(const Cell* by_row, std::uint32_t row) const {
        std::uint64_t out;
        std::memcpy(&out, by_row + static_cast<std::size_t>(row) * stride + word, sizeof out);
        return out;
    }
    Cells<std::uint16_t> narrow;
    Cells<std::uint32_t> wide;
    Cells<double> reals;   // random cuts: the numbers of columns that have a cell
    Cells<float> singles;  // the same, where every number is exact in single precision
    bool is_narrow = false, is_real = false, is_single = false;
};

// No value may be missing, no column nominal. Where cuts are drawn at random, rows are put in the order of their
// classes, if there are any.
std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                const std::vector<std::uint16_t>& classes, int threads, Stop& stop);

}  // namespace hornbeam
