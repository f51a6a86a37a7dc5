// Sums of the rows at or below the cuts of several columns of a node. The cells of a row are contiguous, in the table
// or gathered for the node, so one step processes four columns (a chunk), and all chunks of a row before the next row.
//
//     ranges_of    the lowest and highest cell of every lane
//     gather       the same for columns that are not contiguous; copies their cells to adjacent lanes
//     sum_below    per lane, the exact sums of the rows at or below its cut; for bits, of the rows whose bit is not set
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbeam {

inline constexpr int LANES = 4;            // columns per chunk
inline constexpr int REGISTER_CHUNKS = 6;  // chunks whose sums fit in registers; more are processed in batches

// Chunks of cells, double or float; `offset[j]` is the offset of chunk j in a row, `cut` has one cut per lane.
template <class Cell>
struct CellChunks {
    const Cell* by_row = nullptr;
    std::size_t stride = 0;
    const std::uint32_t* rows = nullptr;
    const std::int64_t* offset = nullptr;
    const double* cut = nullptr;
    int n_chunks = 0;
};

// Chunks of row bits; `shift` has one shift count per lane.
struct BitChunks {
    const std::uint64_t* words = nullptr;
    const std::int64_t* shift = nullptr;
    int n_chunks = 0;
};

// The target of a row: its class or its value in fixed point, and its weight.
struct ClassRow {
    std::int32_t k, weight;
};
struct NumberRow {
    std::int64_t number, weight;
};
// Instead, for rows of weight 1 that are sorted by class: the number of rows of each class.
struct ClassRuns {
    const std::int64_t* counts = nullptr;
    int n_classes = 0;
};

// The lowest and highest cell of n >= 1 rows per lane.
template <class Cell>
void ranges_of(const CellChunks<Cell>& cells, std::int32_t n, double* low, double* high);

// `width` columns (1, 2 or LANES); column j starts at `columns[j]`, and `step` is the distance between its cells.
template <class Cell>
struct ColumnCells {
    const Cell* const* columns;
    int width;
    std::size_t step;
};

// Gathers the cells of some columns for n >= 1 rows: `width` cells per row to `to`, the lowest and highest cell per
// column to `low` and `high`.
template <class Cell>
void gather(const ColumnCells<Cell>& cells, const std::uint32_t* rows, std::int32_t n, Cell* to, double* low,
            double* high);

// Sums of all lanes, in arrays of `lanes` elements: one array of packed words (two classes), two of sums and weights
// (regression), or one per class. Chunks write to the first lanes of each array.
struct LaneSums {
    // In nodes with many rows, consecutive rows are added to different banks, so that the additions of rows of one
    // class do not depend on each other.
    static constexpr int BANKS = 4;
    static constexpr std::int32_t MANY = 64;

    std::int64_t* at = nullptr;  // must be 0; BANKS times as long for nodes with many rows
    std::size_t lanes = 0, n_sums = 1;

    LaneSums from(std::size_t lane) const { return {at + lane, lanes, n_sums}; }
};

// From cells or bits, of rows with packed words, NumberRow or ClassRow.
template <class From, class Data>
void sum_below(const From& from, const Data& data, std::int32_t n, const LaneSums& sums);

// With ClassRuns: the number of rows of each class; overwrites the sums. A chunk may have one or two cells per row
// (`gather`).
template <class Cell>
void sum_below(const Cell* cells, int width, const double* cut, const ClassRuns& runs, const LaneSums& sums);

}  // namespace hornbeam
