// How is a table held as bins?  Every value is a small code, made once and used for many trees.
//
//     numbers   at most `bins` bins of about equal weight, codes in the order of the values; one bin a value when there
//               are no more distinct values than bins
//     levels    the level itself
//     missing   the code behind the last bin
//
// The bin of a value is floor(bins C / W), C the weight strictly below it, W all of it; empty bins vanish. Codes of
// four columns lie side by side, one word a row, so that one look at memory serves four histograms; a column with more
// than 255 bins keeps its codes for itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"

namespace hornbeam {

inline constexpr int MOST_NARROW = 255;  // bins of a column whose codes are bytes, the missing one not counted
inline constexpr int COLUMNS_A_WORD = 4;

struct BinnedColumn {
    Kind kind = Kind::numeric;
    bool has_missing = false;
    std::uint32_t n_bins = 0;
    std::vector<double> low, high;    // the smallest and the largest value of every bin; levels: none
    std::vector<std::uint16_t> wide;  // codes of a column with more than 255 bins
    std::int32_t word = -1;           // else: which words hold its codes,
    std::int32_t shift = 0;           // and where in a word

    bool is_wide() const { return n_bins > MOST_NARROW; }
};

struct BinnedTable {
    std::int64_t n_rows = 0;
    std::vector<BinnedColumn> columns;
    std::vector<std::unique_ptr<std::uint32_t[]>> words;  // four columns each
    std::vector<std::vector<std::int32_t>> columns_of;    // the columns of every word
    std::vector<std::int32_t> wide_columns;

    std::uint32_t code(std::int32_t column, std::int64_t row) const {
        const BinnedColumn& c = columns[column];
        return c.word < 0 ? c.wide[row] : (words[c.word][row] >> c.shift) & 0xFF;
    }
};

// Weights in whole units, or none. At most 65,535 bins or levels a column.
BinnedTable binned_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows,
                         const std::vector<std::int64_t>& weights, int bins, int threads, Stop& stop);

// Whether the codes of a column are bins; levels of which there are no more than bins are their own codes.
inline bool has_bins(const SourceColumn& column, int bins) {
    return column.kind == Kind::numeric || (column.kind == Kind::ordinal && column.n_levels > bins);
}

// The same bins of such a column as codes, for searches that read columns as lists and codes.
ReadyColumn coded_bins(const SourceColumn& from, std::int64_t n_rows, const std::vector<std::int64_t>& weights,
                       int bins);

// The bin of a value: `below` is the weight strictly below it, `all` the weight of all rows with a value.
inline std::int32_t quantile_bin(std::int64_t below, std::int64_t all, int bins) {
    const double at = static_cast<double>(below) * bins / static_cast<double>(all);
    return std::min(static_cast<std::int32_t>(at), bins - 1);
}

// The bins of one column of numbers; a code a row goes to `codes`.
void bin_numbers(const double* reals, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
                 std::uint16_t* codes);

// The same bins for a column of numbers whose ranks are kept.
void bin_kept(const SourceColumn& from, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
              std::uint16_t* codes);

}  // namespace hornbeam
