#include "ensembles/grid.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "core/ranks.hpp"
#include "ensembles/lanes.hpp"

namespace hornbeam {
namespace {

// Assigns a bit or a cell to every column.
template <class IsTwo>
void assign_bits_and_cells(Grid& grid, const IsTwo& is_two) {
    std::int32_t bits = 0;
    grid.width = 0;
    grid.bit.assign(grid.n_columns, -1);
    grid.offset.assign(grid.n_columns, -1);
    for (std::int32_t c = 0; c < grid.n_columns; ++c)
        if (bits < 64 && is_two(c))
            grid.bit[c] = bits++;
        else
            grid.offset[c] = grid.width++;
    if (grid.has_values) grid.width = (grid.width + LANES - 1) / LANES * LANES;
}

// Sets the layout of a row: its cells and, for values, its bits, in one cache line if they fit. Codes have no bits
// there: they are narrow, and longer rows would take more of the cache.
void set_row_layout(Grid& grid, std::size_t cell) {
    constexpr std::size_t WORD = sizeof(std::uint64_t), LINE = 64;
    grid.stride = grid.width;
    if (!grid.has_values || std::all_of(grid.bit.begin(), grid.bit.end(), [](std::int32_t bit) { return bit < 0; }))
        return;
    const std::size_t begin = (static_cast<std::size_t>(grid.width) * cell + WORD - 1) / WORD * WORD,
                      end = begin + WORD;
    grid.word = static_cast<std::int32_t>(begin / cell);
    grid.stride = static_cast<std::int32_t>((end <= LINE ? std::bit_ceil(end) : end) / cell);
}

constexpr std::int64_t STRIP = 256;  // rows whose memory, read and written, stays in the cache

// Writes the bits of binary columns; second(c)(row) returns whether a row has the second value of column c.
template <class Second>
void fill_bits(Grid& grid, int threads, Stop& stop, const Second& second) {
    grid.bits.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows)));
    std::uint64_t* bits = grid.bits.data();
    in_ranges({grid.n_rows, STRIP}, threads, stop, [&](std::int64_t begin, std::int64_t end, int) {
        std::fill(bits + begin, bits + end, 0);
        for (std::int32_t c = 0; c < grid.n_columns; ++c) {
            if (grid.bit[c] < 0) continue;
            const auto is_second = second(c);
            for (std::int64_t row = begin; row < end; ++row)
                bits[row] |= static_cast<std::uint64_t>(is_second(row)) << grid.bit[c];
        }
    });
}

// Writes the table by row: cells, then bits.
template <class Cell>
void fill_rows(Grid& grid, Cells<Cell>& cells, int threads, Stop& stop) {
    set_row_layout(grid, sizeof(Cell));
    const auto stride = static_cast<std::size_t>(grid.stride);
    cells.by_row.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows) * stride));
    Cell* to = cells.by_row.data();
    in_ranges({grid.n_rows, STRIP}, threads, stop, [&](std::int64_t begin, std::int64_t end, int) {
        std::fill(to + static_cast<std::size_t>(begin) * stride, to + static_cast<std::size_t>(end) * stride, Cell{});
        for (std::int32_t c = 0; c < grid.n_columns; ++c) {
            if (grid.bit[c] >= 0) continue;
            const Cell* from = cells.by_column[c];
            for (std::int64_t row = begin; row < end; ++row)
                to[static_cast<std::size_t>(row) * stride + grid.offset[c]] = from[row];
        }
        for (std::int64_t row = begin; grid.word >= 0 && row < end; ++row)
            std::memcpy(to + static_cast<std::size_t>(row) * stride + grid.word, grid.bits.data() + row,
                        sizeof(std::uint64_t));
    });
}

template <class Cell>
void store_codes(Grid& grid, Cells<Cell>& cells, std::vector<std::vector<std::uint32_t>>& codes, int threads,
                 Stop& stop) {
    for (auto& column : codes) {
        cells.owned.emplace_back(column.begin(), column.end());
        std::vector<std::uint32_t>().swap(column);
    }
    for (const auto& column : cells.owned) cells.by_column.push_back(column.data());
    fill_bits(grid, threads, stop, [&](std::int32_t c) {
        return [codes = cells.by_column[c]](std::int64_t row) { return codes[row] == 1; };
    });
    fill_rows(grid, cells, threads, stop);
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
    parallel_for(static_cast<std::int64_t>(columns.size()), threads, stop, [&](std::int64_t c, int) {
        const SourceColumn& from = columns[c];
        ReadyColumn ready =
            from.kind == Kind::numeric ? ranked(from.reals.in_a_row(), grid.n_rows, true) : coded(from, grid.n_rows);
        if (from.kind != Kind::numeric) {
            ready.values.resize(ready.n_codes);
            for (std::uint32_t code = 0; code < ready.n_codes; ++code) ready.values[code] = code;
        }
        grid.values[c] = std::move(ready.values);
        codes[c] = codes_of(ready, grid.n_rows);
    });
    std::size_t maximum = 0;
    for (const auto& values : grid.values) maximum = std::max(maximum, values.size());

    assign_bits_and_cells(grid, [&](std::int32_t c) { return grid.values[c].size() == 2; });
    if (maximum <= 65536)
        store_codes(grid, grid.cells.emplace<Cells<std::uint16_t>>(), codes, threads, stop);
    else
        store_codes(grid, grid.cells.emplace<Cells<std::uint32_t>>(), codes, threads, stop);
}

// The two values of a binary column, ascending; empty for any other column.
std::vector<double> two_values(const double* cells, std::int64_t n) {
    const double first = cells[0];
    const double* other = std::find_if(cells, cells + n, [&](double cell) { return cell != first; });
    if (other == cells + n) return {};
    const double second = *other;
    if (std::any_of(other, cells + n, [&](double cell) { return cell != first && cell != second; })) return {};
    return {std::min(first, second), std::max(first, second)};
}

// Whether all values of a column are exact as floats.
bool are_floats(const double* cells, std::int64_t n) {
    return std::all_of(cells, cells + n,
                       [](double cell) { return static_cast<double>(static_cast<float>(cell)) == cell; });
}

// The rows sorted by class; rows of one class keep their order.
std::vector<std::uint32_t> sorted_by_class(const std::vector<std::uint16_t>& classes) {
    std::vector<std::uint32_t> next(std::size_t{1} << 16, 0), order(classes.size());
    for (const std::uint16_t k : classes) ++next[k];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0u);
    for (std::size_t row = 0; row < classes.size(); ++row)
        order[next[classes[row]]++] = static_cast<std::uint32_t>(row);
    return order;
}

// Stores values in the row order of the grid; doubles in the order of the table are not copied.
template <class Cell>
void store_values(Grid& grid, const std::vector<const double*>& sources, Cells<Cell>& cells, int threads, Stop& stop) {
    const auto n_rows = static_cast<std::size_t>(grid.n_rows);
    cells.by_column.assign(sources.size(), nullptr);
    if (std::is_same_v<Cell, float> || !grid.order.empty())
        cells.columns.resize(std::max<std::size_t>(1, n_rows * static_cast<std::size_t>(grid.width)));
    parallel_for(static_cast<std::int64_t>(sources.size()), threads, stop, [&](std::int64_t c, int) {
        if (grid.bit[c] >= 0) return;
        if constexpr (std::is_same_v<Cell, double>)
            if (grid.order.empty()) {
                cells.by_column[c] = sources[c];
                return;
            }
        Cell* to = cells.columns.data() + static_cast<std::size_t>(grid.offset[c]) * n_rows;
        for (std::size_t row = 0; row < n_rows; ++row)
            to[row] = static_cast<Cell>(sources[c][grid.order.empty() ? row : grid.order[row]]);
        cells.by_column[c] = to;
    });
    fill_rows(grid, cells, threads, stop);
}

void fill_values(Grid& grid, const std::vector<SourceColumn>& columns, const std::vector<std::uint16_t>& classes,
                 int threads, Stop& stop) {
    grid.has_values = true;
    std::vector<const double*> sources(columns.size());
    std::vector<std::vector<double>> levels(columns.size());
    std::atomic<bool> all_floats{true};
    parallel_for(static_cast<std::int64_t>(columns.size()), threads, stop, [&](std::int64_t c, int) {
        const bool is_number = columns[c].kind == Kind::numeric;
        if (!is_number) levels[c].assign(columns[c].codes, columns[c].codes + grid.n_rows);
        sources[c] = is_number ? columns[c].reals.in_a_row() : levels[c].data();
        grid.values[c] = two_values(sources[c], grid.n_rows);
        if (grid.values[c].empty() && !are_floats(sources[c], grid.n_rows)) all_floats = false;
    });
    assign_bits_and_cells(grid, [&](std::int32_t c) { return grid.values[c].size() == 2; });
    grid.order = sorted_by_class(classes);
    fill_bits(grid, threads, stop, [&](std::int32_t c) {
        return [&grid, from = sources[c], second = grid.values[c][1]](std::int64_t row) {
            return from[grid.order.empty() ? row : grid.order[row]] == second;
        };
    });
    if (all_floats) return store_values(grid, sources, grid.cells.emplace<Cells<float>>(), threads, stop);
    auto& cells = grid.cells.emplace<Cells<double>>();
    store_values(grid, sources, cells, threads, stop);
    cells.owned = std::move(levels);
}

}  // namespace

std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                const std::vector<std::uint16_t>& classes, int threads, Stop& stop) {
    auto grid = std::make_unique<Grid>();
    grid->n_rows = n_rows;
    grid->n_columns = static_cast<std::int32_t>(columns.size());
    grid->values.resize(columns.size());
    if (is_random)
        fill_values(*grid, columns, classes, threads, stop);
    else
        fill_codes(*grid, columns, threads, stop);
    return grid;
}

}  // namespace hornbeam
