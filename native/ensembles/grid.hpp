// Where does a tree of a forest find the value of a row and column?  In two copies that all trees share: column by
// column for large nodes, whose rows are dense, and row by row for small ones, whose few rows then stay in the cache
// all the way down.
//
// A cell is the rank of its value among the distinct values of the column, as narrow as it fits: small, and whole
// numbers are compared. Random cuts are drawn between values, and a step table finds the rank below such a cut.
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

// The distinct values of a column, ascending, and where to look for a number among them.
class Values {
  public:
    Values() = default;
    explicit Values(std::vector<double>&& values);
    std::size_t size() const { return values_.size(); }
    double operator[](std::size_t code) const { return values_[code]; }
    // The highest code whose value is at or below x; some value is.
    std::uint32_t at_or_below(double x) const;

  private:
    std::size_t step_of(double x) const;
    std::vector<double> values_;
    std::vector<std::uint32_t> starts_;  // the first code of every step of the range; empty where there are few
    double lowest_ = 0.0, per_step_ = 0.0;
};

struct Grid {
    std::int64_t n_rows = 0;
    std::int32_t n_columns = 0;
    std::vector<Values> values;
    Cells<std::uint16_t> narrow;
    Cells<std::uint32_t> wide;
    Cells<double> reals;  // random cuts of columns with many values: codes would be looked up one by one
    bool is_narrow = false, is_real = false;
};

// No value may be missing, no column nominal.
std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                int threads, Stop& stop);

}  // namespace hornbeam
