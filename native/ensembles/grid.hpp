// Where does a tree of a forest find the value of a row and column?  In two copies that all trees share: column by
// column for large nodes, whose rows are dense, and row by row for small ones, whose few rows then stay in the cache
// all the way down.
//
// A cell is the rank of its value among the distinct values of the column, as narrow as it fits: small, and whole
// numbers are compared. Where cuts are drawn at random a cell is the number itself.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"

namespace hornbeam {

// So many bytes, or null.
void* large_pages(std::size_t bytes);

// Memory in pages as large as the system gives: rows are looked up all over it, and small pages would each be looked up
// first.
template <class Cell>
class LargePages {
  public:
    void resize(std::size_t n) {
        cells_.reset(static_cast<Cell*>(large_pages(n * sizeof(Cell))));
        if (!cells_) throw std::bad_alloc();
    }
    Cell* data() { return cells_.get(); }
    const Cell* data() const { return cells_.get(); }

  private:
    struct Free {
        void operator()(Cell* cells) const { std::free(cells); }
    };
    std::unique_ptr<Cell[], Free> cells_;
};

template <class Cell>
struct Cells {
    std::vector<const Cell*> by_column;
    LargePages<Cell> by_row;
    std::vector<std::vector<Cell>> kept;  // what by_column points to, where it is ours
};

// Columns of two values are bits of one word a row: a node looks at all of them at once.
struct Grid {
    std::int64_t n_rows = 0;
    std::int32_t n_columns = 0;
    // The distinct values of a column, ascending; where cuts are drawn at random, of columns of two values alone.
    std::vector<std::vector<double>> values;
    std::vector<std::int32_t> bit;    // of a column of two values; -1: it has a cell
    std::vector<std::int32_t> place;  // of a column's cell in a row
    std::int32_t stride = 0;          // cells a row; of numbers, a whole number of lanes
    LargePages<std::uint64_t> bits;   // a word a row
    Cells<std::uint16_t> narrow;
    Cells<std::uint32_t> wide;
    Cells<double> reals;        // random cuts
    LargePages<float> singles;  // the same by row, where every number is exact in single precision
    bool is_narrow = false, is_real = false, is_single = false;
};

// No value may be missing, no column nominal.
std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                int threads, Stop& stop);

}  // namespace hornbeam
