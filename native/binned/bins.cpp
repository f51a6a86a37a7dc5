#include "binned/bins.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/kept_column.hpp"

namespace hornbeam {
namespace {

void bin_levels(const SourceColumn& from, std::int64_t n_rows, BinnedColumn& out, std::uint16_t* codes) {
    out.n_bins = static_cast<std::uint32_t>(from.n_levels);
    for (std::int64_t row = 0; row < n_rows; ++row) {
        const std::int32_t code = from.codes[row];
        out.has_missing |= code < 0;
        codes[row] = static_cast<std::uint16_t>(code < 0 ? out.n_bins : code);
    }
    if (from.kind != Kind::ordinal) return;
    for (std::uint32_t code = 0; code < out.n_bins; ++code) out.low.push_back(code);
    out.high = out.low;
}

void bin_column(const SourceColumn& from, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
                std::uint16_t* codes) {
    out.kind = from.kind;
    if (!has_bins(from, bins)) return bin_levels(from, n_rows, out, codes);
    if (from.kind == Kind::numeric && from.kept) return bin_kept(from, n_rows, weights, bins, out, codes);
    if (from.kind == Kind::numeric) return bin_numbers(from.reals.in_a_row(), n_rows, weights, bins, out, codes);
    std::vector<double> reals(n_rows);
    for (std::int64_t row = 0; row < n_rows; ++row) reals[row] = from.number(row);
    bin_numbers(reals.data(), n_rows, weights, bins, out, codes);
}

// Interleaves four columns of bytes; absent columns are 0.
void interleave(const std::uint8_t* const* bytes, std::int64_t n, std::uint32_t* to) {
    const std::uint8_t *a = bytes[0], *b = bytes[1], *c = bytes[2], *d = bytes[3];
    for (std::int64_t i = 0; i < n; ++i)
        to[i] = static_cast<std::uint32_t>(a[i]) | static_cast<std::uint32_t>(b[i]) << 8 |
                static_cast<std::uint32_t>(c[i]) << 16 | static_cast<std::uint32_t>(d[i]) << 24;
}

const std::int64_t* data_or_null(const std::vector<std::int64_t>& weights) {
    return weights.empty() ? nullptr : weights.data();
}

}  // namespace

ReadyColumn coded_bins(const SourceColumn& from, std::int64_t n_rows, const std::vector<std::int64_t>& weights,
                       int bins) {
    BinnedColumn binned;
    std::unique_ptr<std::uint16_t[]> codes(new std::uint16_t[n_rows]);
    bin_column(from, n_rows, data_or_null(weights), bins, binned, codes.get());
    ReadyColumn out;
    out.kind = from.kind;
    out.has_missing = binned.has_missing;
    out.n_codes = binned.n_bins;
    out.values = std::move(binned.high);
    out.lows = std::move(binned.low);
    out.codes = packed_for(out.n_codes, n_rows, [&](std::int64_t row) { return codes[row]; });
    return out;
}

BinnedTable binned_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows,
                         const std::vector<std::int64_t>& weights, int bins, int threads, Stop& stop) {
    BinnedTable out;
    out.n_rows = n_rows;
    const auto count = static_cast<std::int64_t>(columns.size());
    out.columns.resize(count);
    std::vector<std::unique_ptr<std::uint8_t[]>> bytes(count);
    const std::int64_t* weight = data_or_null(weights);
    const auto make = [&](std::int64_t c, int) {
        std::unique_ptr<std::uint16_t[]> codes(new std::uint16_t[n_rows]);
        BinnedColumn& column = out.columns[c];
        bin_column(columns[c], n_rows, weight, bins, column, codes.get());
        if (column.is_wide()) {
            column.wide.assign(codes.get(), codes.get() + n_rows);
        } else {
            bytes[c].reset(new std::uint8_t[n_rows]);
            std::copy_n(codes.get(), n_rows, bytes[c].get());
        }
    };
    const bool is_small = n_rows * count <= 100'000;
    const auto each = [&](std::int64_t n, const auto& body) {
        if (is_small)
            for (std::int64_t i = 0; i < n; ++i) body(i, 0);
        else
            parallel_for(n, threads, stop, body);
    };
    each(count, make);
    for (std::int32_t c = 0; c < count; ++c) {
        if (out.columns[c].is_wide()) continue;
        if (out.groups.empty() || out.groups.back().size() == COLUMNS_PER_WORD) out.groups.emplace_back();
        out.columns[c].word = static_cast<std::int32_t>(out.groups.size()) - 1;
        out.columns[c].shift = 8 * static_cast<std::int32_t>(out.groups.back().size());
        out.groups.back().push_back(c);
    }
    out.words.resize(out.groups.size());
    for (std::int32_t c = 0; c < count; ++c)
        if (out.columns[c].is_wide()) out.groups.push_back({c});
    each(static_cast<std::int64_t>(out.words.size()), [&](std::int64_t w, int) {
        out.words[w].reset(new std::uint32_t[n_rows]);
        const std::vector<std::int32_t>& group = out.groups[w];
        std::vector<std::uint8_t> zeros(group.size() < COLUMNS_PER_WORD ? n_rows : 0, 0);
        const std::uint8_t* of[COLUMNS_PER_WORD];
        for (std::size_t i = 0; i < COLUMNS_PER_WORD; ++i)
            of[i] = i < group.size() ? bytes[group[i]].get() : zeros.data();
        interleave(of, n_rows, out.words[w].get());
    });
    return out;
}

namespace {

// Bins of a column whose ranks are stored (core/kept_column.hpp): values are not sorted again. Calls use(rank, row) for
// every row, rows of one rank in ascending order; the rank of a missing value is `n_codes`.
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
