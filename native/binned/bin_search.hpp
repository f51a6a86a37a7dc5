// What is the best question about a column of bins at a node?  Asked of the sums in its bins, not of rows.
//
// Cuts under Gini, entropy and squared error have kernels of their own; every other criterion, and categories, are
// searched by the tables of levels that the exact grower uses. The numbers are those of the exact search: with a bin a
// value the same cut wins.
#pragma once

#include <vector>

#include "binned/histogram.hpp"
#include "growing/search.hpp"

namespace hornbeam {

class BinSearch {
  public:
    BinSearch(const Plan& plan, const BinnedTable& table, const ColumnSearch& search, const CellSource& source)
        : plan_(plan), table_(table), search_(search), source_(source), width_(source.width()) {}

    // `present`: the codes that rows of the node have, ascending, the missing one left out.
    Candidate best(const std::int64_t* cells, const std::uint16_t* present, int count, std::int32_t column,
                   const Totals& totals, double impurity, Scratch& scratch) const;

  private:
    struct Scan {
        const std::int64_t* cells;
        const std::uint16_t* present;
        int count;
        Least least;
        double tolerance;
    };

    Totals known(const std::int64_t* missing, const Totals& totals) const;
    Cut cut(const Scan& scan, const Totals& known, Scratch& scratch, double& to_gain) const;
    Cut cut_two_classes(const Scan& scan, const Totals& known, double to_gain, CutScratch& scratch) const;
    Cut cut_numbers(const Scan& scan, const Totals& known, double& to_gain, CutScratch& scratch) const;
    Cut cut_squares(const Scan& scan, const Totals& known, double to_gain, Scratch& scratch) const;
    Cut cut_logs(const Scan& scan, const Totals& known, double to_gain, Scratch& scratch) const;
    int judge_cuts(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const;
    void fill_levels(const std::int64_t* cells, const std::uint16_t* present, int count, const Totals& totals,
                     std::int32_t column, LevelTable& out) const;
    std::int64_t count_of(const std::int64_t* cell, int k) const {
        if (source_.kind != CellKind::two_classes) return cell[k];
        const std::int64_t second = cell[0] >> 32;
        return k == 1 ? second : (cell[0] & 0xFFFFFFFF) - second;
    }
    std::int64_t weight_of(const std::int64_t* cell) const;

    const Plan& plan_;
    const BinnedTable& table_;
    const ColumnSearch& search_;
    const CellSource& source_;
    int width_;
};

}  // namespace hornbeam
