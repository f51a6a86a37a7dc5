// The best question about one column of a table held as bins, from the sums of a node's bins. Scores, order and ties
// are those of the search on values, so equal sums give the same cut.
#pragma once

#include "binned/histogram.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// The sums of a column's bins at a node.
struct Bins {
    const std::int64_t* cells;
    const std::uint16_t* present;  // the codes that rows of the node have, ascending, without the missing one
    int count;                     // of them
};

class BinSearch {
  public:
    BinSearch(const BinnedTable& table, const Scoring& scoring, const CellSource& source, const AnyBlock& block)
        : table_(table), scoring_(scoring), source_(source), block_(block), width_(source.width()) {}

    Candidate best(const Bins& bins, std::int32_t column, const Totals& totals, double impurity,
                   Scratch& scratch) const;

  private:
    void fill(const Bins& bins, const BinnedColumn& binned, std::int64_t n_rows, CodeTable& out) const;
    // The last place below the best cut between bins, -1 for none: by a kernel, and by any criterion at all.
    int best_cut(const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const;
    int judge_cuts(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const;

    const BinnedTable& table_;
    const Scoring& scoring_;
    const CellSource& source_;
    const AnyBlock& block_;
    int width_;
};

}  // namespace hornbeam
