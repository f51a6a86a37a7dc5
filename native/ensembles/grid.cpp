#include "ensembles/grid.hpp"

#include <algorithm>

#include "core/ranks.hpp"

namespace hornbeam {
namespace {

// Rows are copied in strips, so that both sides stay in the cache.
template <class Cell>
void fill_rows(Cells<Cell>& cells, std::int64_t n_rows, int threads, Stop& stop) {
    constexpr std::int64_t STRIP = 256;
    const std::size_t d = cells.by_column.size();
    cells.by_row.resize(static_cast<std::size_t>(n_rows) * d);
    parallel_for((n_rows + STRIP - 1) / STRIP, threads, stop, [&](std::int64_t strip, int) {
        const std::int64_t end = std::min(n_rows, (strip + 1) * STRIP);
        for (std::size_t c = 0; c < d; ++c)
            for (std::int64_t row = strip * STRIP; row < end; ++row)
                cells.by_row[static_cast<std::size_t>(row) * d + c] = cells.by_column[c][row];
    });
}

template <class Cell>
void take_codes(Cells<Cell>& cells, std::vector<std::vector<std::uint32_t>>& codes) {
    for (auto& column : codes) {
        if constexpr (sizeof(Cell) == 4)
            cells.kept.push_back(std::move(column));
        else
            cells.kept.emplace_back(column.begin(), column.end());
        std::vector<std::uint32_t>().swap(column);
    }
    for (const auto& column : cells.kept) cells.by_column.push_back(column.data());
}

std::vector<std::uint32_t> codes_of(ReadyColumn& column, std::int64_t n_rows) {
    std::vector<std::uint32_t> out(n_rows, column.common);
    with_codes(column.codes, [&](const auto* codes) { std::copy_n(codes, n_rows, out.begin()); });
    for (const std::uint64_t item : column.sorted) out[item & 0xFFFFFFFFu] = static_cast<std::uint32_t>(item >> 32);
    std::vector<std::uint64_t>().swap(column.sorted);
    return out;
}

void fill_codes(Grid& grid, const std::vector<SourceColumn>& columns, int threads, Stop& stop) {
    std::vector<std::vector<std::uint32_t>> codes(columns.size());
    grid.values.resize(columns.size());
    parallel_for(static_cast<std::int64_t>(columns.size()), threads, stop, [&](std::int64_t c, int) {
        const SourceColumn& from = columns[c];
        ReadyColumn ready =
            from.kind == Kind::numeric ? ranked(from.reals, grid.n_rows, true) : coded(from, grid.n_rows);
        grid.values[c] = std::move(ready.values);
        if (from.kind != Kind::numeric) {
            grid.values[c].resize(ready.n_codes);
            for (std::uint32_t code = 0; code < ready.n_codes; ++code) grid.values[c][code] = code;
        }
        codes[c] = codes_of(ready, grid.n_rows);
    });
    std::size_t most = 0;
    for (const auto& values : grid.values) most = std::max(most, values.size());
    grid.is_narrow = most <= 65536;
    if (grid.is_narrow) {
        take_codes(grid.narrow, codes);
        fill_rows(grid.narrow, grid.n_rows, threads, stop);
    } else {
        take_codes(grid.wide, codes);
        fill_rows(grid.wide, grid.n_rows, threads, stop);
    }
}

}  // namespace

std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                int threads, Stop& stop) {
    auto grid = std::make_unique<Grid>();
    grid->n_rows = n_rows;
    grid->n_columns = static_cast<std::int32_t>(columns.size());
    grid->is_random = is_random;
    if (!is_random) {
        fill_codes(*grid, columns, threads, stop);
        return grid;
    }
    Cells<double>& reals = grid->reals;
    reals.kept.resize(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].kind != Kind::numeric) reals.kept[c].assign(columns[c].codes, columns[c].codes + n_rows);
        reals.by_column.push_back(columns[c].kind == Kind::numeric ? columns[c].reals : reals.kept[c].data());
    }
    fill_rows(reals, n_rows, threads, stop);
    return grid;
}

}  // namespace hornbeam
