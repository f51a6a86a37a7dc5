// BinSearch: finds the best question about one binned column from the sums per bin of a node. Scores, order and ties
// are those of the search on values, so equal sums give the same cut.
#pragma once

#include "binned/histogram.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// The sums of the bins of a column at a node.
struct Bins {
    const std::int64_t* cells;
    const std::uint16_t* present;  // the codes of the rows of the node, ascending, without that of missing values
    int count;                     // of `present`
};

class BinSearch {
  public:
    BinSearch(const BinnedTable& table, const Scoring& scoring, const CellSource& source, const AnyBlock& block)
        : table_(table), scoring_(scoring), source_(source), block_(block), width_(source.width()) {}

    Candidate best(const Bins& bins, std::int32_t column, const Totals& totals, double impurity,
                   Scratch& scratch) const;

  private:
    void fill(const Bins& bins, const BinnedColumn& binned, std::int64_t n_rows, CodeTable& out) const;
    // The last index of `present` below the best cut, -1: none. By a kernel; by any criterion.
    int best_cut(const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const;
    int score_cuts(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const;

    const BinnedTable& table_;
    const Scoring& scoring_;
    const CellSource& source_;
    const AnyBlock& block_;
    int width_;
};

}  // namespace hornbeam
