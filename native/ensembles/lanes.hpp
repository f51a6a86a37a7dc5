// What lies at or below the cuts of several columns at a node?  Cells of one row lie side by side, in the table or
// gathered for the node, so four columns are looked at in one step (a chunk), all chunks of a row before the next row:
// a node of ten rows is done in ten steps.
//
//     ranges_of    the lowest and highest cell of every lane
//     gather       the same of four columns that lie apart, whose cells are put side by side
//     sum_below    for every lane, the exact sums over rows at or below its cut; or over rows whose bit is not set
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbeam {

inline constexpr int LANES = 4;    // columns of a chunk
inline constexpr int ABREAST = 6;  // chunks whose sums stay in registers; more are done in turns

// Chunks of the rows' cells, in double or single precision; `offset[j]` is where chunk j begins in a row, `cut` has a
// number a lane.
template <class Cell>
struct CellChunks {
    const Cell* by_row = nullptr;
    std::size_t stride = 0;
    const std::uint32_t* rows = nullptr;
    const std::int64_t* offset = nullptr;
    const double* cut = nullptr;
    int n_chunks = 0;
};

// Chunks of the rows' bits; `shift` has a number a lane.
struct BitChunks {
    const std::uint64_t* words = nullptr;
    const std::int64_t* shift = nullptr;
    int n_chunks = 0;
};

// A row's target: the weight and, of a number, its place; of a class, which.
struct ClassRow {
    std::int32_t k, weight;
};
struct NumberRow {
    std::int64_t number, weight;
};
// Or, of rows that weigh one and come in the order of their classes, how many there are of each.
struct ClassRuns {
    const std::int64_t* counts = nullptr;
    int n_classes = 0;
};

// Of n >= 1 rows, a number a lane.
void ranges_of(const CellChunks<double>& cells, std::int32_t n, double* low, double* high);
void ranges_of(const CellChunks<float>& cells, std::int32_t n, double* low, double* high);

// `width` columns, which is 1, 2 or LANES; each begins at `columns[j]`, its cells are `step` apart.
template <class Cell>
struct ColumnCells {
    const Cell* const* columns;
    int width;
    std::size_t step;
};

// Of n >= 1 rows, the cells of some columns: `to` gets `width` cells per row, `low` and `high` a number per column.
void gather(const ColumnCells<double>& cells, const std::uint32_t* rows, std::int32_t n, double* to, double* low,
            double* high);
void gather(const ColumnCells<float>& cells, const std::uint32_t* rows, std::int32_t n, float* to, double* low,
            double* high);

// Sums side by side in rows of `lanes`: one row of packed words (two classes), two of sums and weights (numbers), one a
// class. Chunks write to the first lanes of each row.
struct LaneSums {
    // Counts of classes at nodes of many rows are made in so many places in turn: rows of one class need not wait for
    // each other.
    static constexpr int BANKS = 4;
    static constexpr std::int32_t MANY = 64;

    std::int64_t* at = nullptr;  // zeros, BANKS times as many where there are many rows
    std::size_t lanes = 0, n_sums = 1;

    LaneSums from(std::size_t lane) const { return {at + lane, lanes, n_sums}; }
};

void sum_below(const CellChunks<double>& cells, const std::uint64_t* data, std::int32_t n, const LaneSums& sums);
void sum_below(const CellChunks<double>& cells, const NumberRow* data, std::int32_t n, const LaneSums& sums);
void sum_below(const CellChunks<double>& cells, const ClassRow* data, std::int32_t n, const LaneSums& sums);
void sum_below(const CellChunks<float>& cells, const std::uint64_t* data, std::int32_t n, const LaneSums& sums);
void sum_below(const CellChunks<float>& cells, const NumberRow* data, std::int32_t n, const LaneSums& sums);
void sum_below(const CellChunks<float>& cells, const ClassRow* data, std::int32_t n, const LaneSums& sums);
void sum_below(const BitChunks& bits, const std::uint64_t* data, std::int32_t n, const LaneSums& sums);
void sum_below(const BitChunks& bits, const NumberRow* data, std::int32_t n, const LaneSums& sums);
void sum_below(const BitChunks& bits, const ClassRow* data, std::int32_t n, const LaneSums& sums);
// Rows of each class; what was there is overwritten. The cells of one chunk may come one or two a row (`gather`).
void sum_below(const CellChunks<double>& cells, const ClassRuns& runs, std::int32_t n, const LaneSums& sums);
void sum_below(const CellChunks<float>& cells, const ClassRuns& runs, std::int32_t n, const LaneSums& sums);
void sum_below(const double* cells, int width, const double* cut, const ClassRuns& runs, const LaneSums& sums);
void sum_below(const float* cells, int width, const double* cut, const ClassRuns& runs, const LaneSums& sums);
void sum_below(const BitChunks& bits, const ClassRuns& runs, std::int32_t n, const LaneSums& sums);

}  // namespace hornbeam
