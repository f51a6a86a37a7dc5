// Bins a column whose ranks are stored (core/kept_column.hpp): values are not sorted again.
#include <algorithm>
#include <vector>

#include "binned/bins.hpp"
#include "core/kept_column.hpp"

namespace hornbeam {
namespace {

// Calls use(rank, row) for every row, rows of one rank in ascending order; the rank of a missing value is `n_codes`.
template <class Use>
void each_row(const ReadyColumn& column, std::int64_t n_rows, const Use& use) {
    for (const std::uint64_t item : column.sorted)
        use(std::min(static_cast<std::uint32_t>(item >> 32), column.n_codes), static_cast<std::uint32_t>(item));
    with_codes(column.codes, [&](const auto* codes) {
        for (std::int64_t row = 0; row < n_rows; ++row) use(codes[row], static_cast<std::uint32_t>(row));
    });
}

// Sets the bin of every rank from the weight of the rows below it; returns the number of bins that are not empty.
std::uint32_t assign_bins(const std::vector<std::int64_t>& weight, int bins, std::vector<std::uint16_t>& bin_of) {
    const std::size_t n_ranks = weight.size() - 1;  // the last entry is of missing values
    std::int64_t all = 0, below = 0;
    for (std::size_t rank = 0; rank < n_ranks; ++rank) all += weight[rank];
    std::int32_t last = -1;
    std::uint32_t count = 0;
    for (std::size_t rank = 0; rank < n_ranks; ++rank) {
        const auto own = static_cast<std::int32_t>(rank);
        const std::int32_t bin = n_ranks <= static_cast<std::size_t>(bins) ? own : quantile_bin(below, all, bins);
        count += bin != last;
        last = bin;
        bin_of[rank] = static_cast<std::uint16_t>(count - 1);
        below += weight[rank];
    }
    bin_of[n_ranks] = static_cast<std::uint16_t>(count);
    return count;
}

}  // namespace

void bin_kept(const SourceColumn& from, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
              std::uint16_t* codes) {
    const ReadyColumn column = from.chosen ? from.kept->ready(*from.chosen, false) : from.kept->ready(false, false);
    std::vector<std::int64_t> weight(column.n_codes + 1, 0);
    std::vector<std::uint32_t> first(column.n_codes + 1, ChosenRows::NOT_CHOSEN);
    each_row(column, n_rows, [&](std::uint32_t rank, std::uint32_t row) {
        weight[rank] += weights ? weights[row] : 1;
        first[rank] = std::min(first[rank], row);
    });
    std::vector<std::uint16_t> bin_of(column.n_codes + 1);
    out.has_missing = column.has_missing;
    out.n_bins = assign_bins(weight, bins, bin_of);
    out.low.resize(out.n_bins);
    out.high.resize(out.n_bins);
    // A zero is stored with the sign of its first row.
    for (std::uint32_t rank = 0; rank < column.n_codes; ++rank) out.high[bin_of[rank]] = from.reals[first[rank]];
    for (std::uint32_t rank = column.n_codes; rank-- > 0;) out.low[bin_of[rank]] = from.reals[first[rank]];
    each_row(column, n_rows, [&](std::uint32_t rank, std::uint32_t row) { codes[row] = bin_of[rank]; });
}

}  // namespace hornbeam
