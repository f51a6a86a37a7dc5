// BinnedTable: a table of small codes, computed once and used for many trees.
//
//     numeric   at most `bins` bins of about equal weight, codes in the order of the values; one bin per value if there
//               are no more distinct values than bins
//     levels    the code of the level
//     missing   the code after the last bin
//
// The bin of a value is floor(bins C / W), with C the weight strictly below the value and W the total weight; empty
// bins are removed. The codes of four columns are one word per row, so that one memory access is enough for four
// histograms. The codes of a column with more than 255 bins are stored separately.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/data.hpp"
#include "core/pool.hpp"

namespace hornbeam {

// The maximum number of bins of a column whose codes are bytes, without that of missing values.
inline constexpr int MAX_NARROW_BINS = 255;
inline constexpr int COLUMNS_PER_WORD = 4;

struct BinnedColumn {
    Kind kind = Kind::numeric;
    bool has_missing = false;
    std::uint32_t n_bins = 0;
    std::vector<double> low, high;    // the smallest and the largest value per bin; levels: empty
    std::vector<std::uint16_t> wide;  // codes of a column with more than 255 bins
    std::int32_t word = -1;           // otherwise: the index of the words with its codes,
    std::int32_t shift = 0;           // and the offset in a word, in bits

    bool is_wide() const { return n_bins > MAX_NARROW_BINS; }
};

struct BinnedTable {
    std::int64_t n_rows = 0;
    std::vector<BinnedColumn> columns;
    std::vector<std::unique_ptr<std::uint32_t[]>> words;  // four columns each
    // The columns whose sums are computed together: those of every word, then every wide column by itself.
    std::vector<std::vector<std::int32_t>> groups;

    std::uint32_t code(std::int32_t column, std::int64_t row) const {
        const BinnedColumn& c = columns[column];
        return c.word < 0 ? c.wide[row] : (words[c.word][row] >> c.shift) & 0xFF;
    }
    // Calls use(code_of), where code_of(row) is the code of a row in a column.
    template <class Use>
    auto with_codes_of(std::int32_t column, const Use& use) const {
        const BinnedColumn& c = columns[column];
        if (c.word < 0) return use([codes = c.wide.data()](std::uint32_t row) { return std::uint32_t{codes[row]}; });
        return use([of = words[c.word].get(), shift = c.shift](std::uint32_t row) { return of[row] >> shift & 0xFF; });
    }
};

// `weights` are integers, or empty. At most 65,535 bins or levels per column.
BinnedTable binned_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows,
                         const std::vector<std::int64_t>& weights, int bins, int threads, Stop& stop);

// Whether the codes of a column are bins. Codes are levels if there are no more levels than bins.
inline bool has_bins(const SourceColumn& column, int bins) {
    return column.kind == Kind::numeric || (column.kind == Kind::ordinal && column.n_levels > bins);
}

// The same bins as codes, for searches that read columns as lists and codes.
ReadyColumn coded_bins(const SourceColumn& from, std::int64_t n_rows, const std::vector<std::int64_t>& weights,
                       int bins);

// The bin of a value: `below` is the weight strictly below it, `all` the weight of all rows with a value.
inline std::int32_t quantile_bin(std::int64_t below, std::int64_t all, int bins) {
    const double at = static_cast<double>(below) * bins / static_cast<double>(all);
    return std::min(static_cast<std::int32_t>(at), bins - 1);
}

// Bins a numeric column; writes one code per row to `codes`.
void bin_numbers(const double* reals, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
                 std::uint16_t* codes);

// The same for a numeric column whose ranks are stored.
void bin_kept(const SourceColumn& from, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
              std::uint16_t* codes);

}  // namespace hornbeam
