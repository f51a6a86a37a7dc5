// Grid: the cells of the training table, stored twice and shared by all trees of a forest: by column for large nodes,
// whose rows are dense, and by row for small nodes, whose few rows then stay in the cache.
//
// A cell is the rank of its value among the distinct values of the column, in the narrowest integer type that fits. If
// cuts are random, a cell is the value itself.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <variant>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"
#include "core/portable.hpp"

namespace hornbeam {

// An array in huge pages if the system has them: rows are read at random, and with small pages most reads would miss
// the TLB.
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
    // The memory that by_column points to, if it is not the caller's.
    std::vector<std::vector<Cell>> owned;
    LargePages<Cell> columns;
};

// Binary columns are the bits of one word per row, so a node reads all of them together.
struct Grid {
    std::int64_t n_rows = 0;
    std::int32_t n_columns = 0;
    // The table row of every row of the grid, sorted by class; empty: the order of the table.
    std::vector<std::uint32_t> order;
    // The distinct values of each column, ascending; if cuts are random, only of binary columns.
    std::vector<std::vector<double>> values;
    std::vector<std::int32_t> bit;     // of a binary column; -1: the column has a cell
    std::vector<std::int32_t> offset;  // of the cell of a column in a row
    std::int32_t width = 0;            // cells per row; for values, rounded up to complete chunks of lanes
    std::int32_t stride = 0;           // between rows, in cells
    // The bits of binary columns, one word per row; for values, also stored after the cells of a row, for small nodes.
    LargePages<std::uint64_t> bits;
    std::int32_t word = -1;  // offset of these bits in a row, in cells; -1: not stored there
    template <class Cell>
    std::uint64_t word_of(const Cell* by_row, std::uint32_t row) const {
        std::uint64_t out;
        std::memcpy(&out, by_row + static_cast<std::size_t>(row) * stride + word, sizeof out);
        return out;
    }
    bool has_values = false;  // cuts are random: cells are values, as floats if every value is exact as a float
    std::variant<Cells<std::uint16_t>, Cells<std::uint32_t>, Cells<double>, Cells<float>> cells;
};

// Requires columns without missing values that are not nominal. If cuts are random and the target is a class, rows are
// sorted by class.
std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                const std::vector<std::uint16_t>& classes, int threads, Stop& stop);

}  // namespace hornbeam
