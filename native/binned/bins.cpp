#include "binned/bins.hpp"

#include <algorithm>
#include <limits>

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

void narrow(const std::uint16_t* from, std::int64_t n, std::uint8_t* to) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>(from[i]);
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
            narrow(codes.get(), n_rows, bytes[c].get());
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
        if (out.columns[c].is_wide()) {
            out.wide_columns.push_back(c);
            continue;
        }
        if (out.columns_of.empty() || out.columns_of.back().size() == COLUMNS_PER_WORD) out.columns_of.emplace_back();
        out.columns[c].word = static_cast<std::int32_t>(out.columns_of.size()) - 1;
        out.columns[c].shift = 8 * static_cast<std::int32_t>(out.columns_of.back().size());
        out.columns_of.back().push_back(c);
    }
    out.words.resize(out.columns_of.size());
    each(static_cast<std::int64_t>(out.words.size()), [&](std::int64_t w, int) {
        out.words[w].reset(new std::uint32_t[n_rows]);
        std::vector<std::uint8_t> zeros(out.columns_of[w].size() < COLUMNS_PER_WORD ? n_rows : 0, 0);
        const std::uint8_t* of[COLUMNS_PER_WORD];
        for (std::size_t i = 0; i < COLUMNS_PER_WORD; ++i)
            of[i] = i < out.columns_of[w].size() ? bytes[out.columns_of[w][i]].get() : zeros.data();
        interleave(of, n_rows, out.words[w].get());
    });
    return out;
}

}  // namespace hornbeam
