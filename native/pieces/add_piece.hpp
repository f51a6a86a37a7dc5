// PieceAdder: what the rows of several pieces add up to for one request.
#pragma once

#include <cstddef>

#include "pieces/request.hpp"

namespace hornbeam {

// Sums while rows are added.
struct PieceCells {
    explicit PieceCells(const PieceRequest& request);

    // The number of integers of one slot of a wanted column.
    std::size_t size_of(const PieceRequest& request, std::size_t column) const;

    bool is_packed = false;                          // two classes in one integer
    std::size_t width = 1;                           // the integers of a cell
    std::vector<std::vector<std::int64_t>> columns;  // the cells of every wanted column
    // Rows by total and class, where rows have classes and no weights; the first total is that of nodes without one.
    std::vector<std::int64_t> counted;
    PieceSums sums;
};

class PieceAdder {
  public:
    // The request must outlive the adder.
    explicit PieceAdder(const PieceRequest& request) : request_(request), cells_(request) {}

    void add(const PieceRows& rows);
    // The sums of all rows so far.
    PieceSums sums();

  private:
    // Adds the cells to the sums and clears them.
    void flush();

    const PieceRequest& request_;
    PieceCells cells_;
    std::int64_t n_rows_ = 0;  // since the cells were cleared
};

}  // namespace hornbeam
