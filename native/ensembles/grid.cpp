#include "ensembles/grid.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "core/ranks.hpp"
#include "ensembles/lanes.hpp"

namespace hornbeam {
namespace {

// Every column gets a bit or a cell.
template <class IsTwo>
void give_places(Grid& grid, const IsTwo& is_two) {
    std::int32_t bits = 0;
    grid.width = 0;
    grid.bit.assign(grid.n_columns, -1);
    grid.place.assign(grid.n_columns, -1);
    for (std::int32_t c = 0; c < grid.n_columns; ++c)
        if (bits < 64 && is_two(c))
            grid.bit[c] = bits++;
        else
            grid.place[c] = grid.width++;
    if (grid.is_real) grid.width = (grid.width + LANES - 1) / LANES * LANES;
}

// Where the cells of a row lie, and of numbers its bits: in one line of the cache, where they fit. Codes are so narrow
// that bits would only lengthen their rows.
void lay_out(Grid& grid, std::size_t cell) {
    constexpr std::size_t WORD = sizeof(std::uint64_t), LINE = 64;
    grid.stride = grid.width;
    if (!grid.is_real || std::all_of(grid.bit.begin(), grid.bit.end(), [](std::int32_t bit) { return bit < 0; }))
        return;
    const std::size_t begin = (static_cast<std::size_t>(grid.width) * cell + WORD - 1) / WORD * WORD,
                      end = begin + WORD;
    grid.word = static_cast<std::int32_t>(begin / cell);
    grid.stride = static_cast<std::int32_t>((end <= LINE ? std::bit_ceil(end) : end) / cell);
}

// Calls use(begin, end) for strips of rows, so that what is read and what is written stay in the cache.
template <class Use>
void in_strips(std::int64_t n_rows, int threads, Stop& stop, const Use& use) {
    constexpr std::int64_t STRIP = 256;
    parallel_for((n_rows + STRIP - 1) / STRIP, threads, stop,
                 [&](std::int64_t strip, int) { use(strip * STRIP, std::min(n_rows, (strip + 1) * STRIP)); });
}

// The bits of columns of two values; `second(c)` tells of a row whether it has the second value of column c.
template <class Second>
void fill_bits(Grid& grid, int threads, Stop& stop, const Second& second) {
    grid.bits.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows)));
    std::uint64_t* bits = grid.bits.data();
    in_strips(grid.n_rows, threads, stop, [&](std::int64_t begin, std::int64_t end) {
        std::fill(bits + begin, bits + end, 0);
        for (std::int32_t c = 0; c < grid.n_columns; ++c) {
            if (grid.bit[c] < 0) continue;
            const auto is_second = second(c);
            for (std::int64_t row = begin; row < end; ++row)
                bits[row] |= static_cast<std::uint64_t>(is_second(row)) << grid.bit[c];
        }
    });
}

// The same by row: cells, then bits.
template <class Cell>
void fill_rows(Grid& grid, Cells<Cell>& cells, int threads, Stop& stop) {
    lay_out(grid, sizeof(Cell));
    const auto stride = static_cast<std::size_t>(grid.stride);
    cells.by_row.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows) * stride));
    Cell* to = cells.by_row.data();
    in_strips(grid.n_rows, threads, stop, [&](std::int64_t begin, std::int64_t end) {
        std::fill(to + static_cast<std::size_t>(begin) * stride, to + static_cast<std::size_t>(end) * stride, Cell{});
        for (std::int32_t c = 0; c < grid.n_columns; ++c) {
            if (grid.bit[c] >= 0) continue;
            const Cell* from = cells.by_column[c];
            for (std::int64_t row = begin; row < end; ++row)
                to[static_cast<std::size_t>(row) * stride + grid.place[c]] = from[row];
        }
        for (std::int64_t row = begin; grid.word >= 0 && row < end; ++row)
            std::memcpy(to + static_cast<std::size_t>(row) * stride + grid.word, grid.bits.data() + row,
                        sizeof(std::uint64_t));
    });
}

template <class Cell>
void take_codes(Grid& grid, Cells<Cell>& cells, std::vector<std::vector<std::uint32_t>>& codes, int threads,
                Stop& stop) {
    for (auto& column : codes) {
        if constexpr (sizeof(Cell) == 4)
            cells.kept.push_back(std::move(column));
        else
            cells.kept.emplace_back(column.begin(), column.end());
        std::vector<std::uint32_t>().swap(column);
    }
    for (const auto& column : cells.kept) cells.by_column.push_back(column.data());
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
    std::size_t most = 0;
    for (const auto& values : grid.values) most = std::max(most, values.size());
    grid.is_narrow = most <= 65536;
    give_places(grid, [&](std::int32_t c) { return grid.values[c].size() == 2; });
    if (grid.is_narrow)
        take_codes(grid, grid.narrow, codes, threads, stop);
    else
        take_codes(grid, grid.wide, codes, threads, stop);
}

// The values of a column where they are two, ascending; else nothing.
std::vector<double> two_values(const double* cells, std::int64_t n) {
    const double first = cells[0];
    const double* other = std::find_if(cells, cells + n, [&](double cell) { return cell != first; });
    if (other == cells + n) return {};
    const double second = *other;
    if (std::any_of(other, cells + n, [&](double cell) { return cell != first && cell != second; })) return {};
    return {std::min(first, second), std::max(first, second)};
}

// Whether all numbers of a column are exact in single precision.
bool are_singles(const double* cells, std::int64_t n) {
    return std::all_of(cells, cells + n,
                       [](double cell) { return static_cast<double>(static_cast<float>(cell)) == cell; });
}

// The rows in the order of their classes, rows of one class as they come.
std::vector<std::uint32_t> by_class(const std::vector<std::uint16_t>& classes) {
    std::vector<std::uint32_t> next(std::size_t{1} << 16, 0), order(classes.size());
    for (const std::uint16_t k : classes) ++next[k];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0u);
    for (std::size_t row = 0; row < classes.size(); ++row)
        order[next[classes[row]]++] = static_cast<std::uint32_t>(row);
    return order;
}

// The numbers in the order of the grid, copied unless they lie outside like that.
template <class Cell>
void take_numbers(Grid& grid, const std::vector<const double*>& numbers, Cells<Cell>& cells, int threads, Stop& stop) {
    const auto n_rows = static_cast<std::size_t>(grid.n_rows);
    cells.by_column.assign(numbers.size(), nullptr);
    if (std::is_same_v<Cell, float> || !grid.order.empty())
        cells.columns.resize(std::max<std::size_t>(1, n_rows * static_cast<std::size_t>(grid.width)));
    parallel_for(static_cast<std::int64_t>(numbers.size()), threads, stop, [&](std::int64_t c, int) {
        if (grid.bit[c] >= 0) return;
        if constexpr (std::is_same_v<Cell, double>)
            if (grid.order.empty()) {
                cells.by_column[c] = numbers[c];
                return;
            }
        Cell* to = cells.columns.data() + static_cast<std::size_t>(grid.place[c]) * n_rows;
        for (std::size_t row = 0; row < n_rows; ++row)
            to[row] = static_cast<Cell>(numbers[c][grid.order.empty() ? row : grid.order[row]]);
        cells.by_column[c] = to;
    });
    fill_rows(grid, cells, threads, stop);
}

void fill_reals(Grid& grid, const std::vector<SourceColumn>& columns, const std::vector<std::uint16_t>& classes,
                int threads, Stop& stop) {
    grid.is_real = true;
    std::vector<const double*> numbers(columns.size());
    std::vector<std::vector<double>>& levels = grid.reals.kept;
    levels.resize(columns.size());
    std::atomic<bool> all_single{true};
    parallel_for(static_cast<std::int64_t>(columns.size()), threads, stop, [&](std::int64_t c, int) {
        const bool is_number = columns[c].kind == Kind::numeric;
        if (!is_number) levels[c].assign(columns[c].codes, columns[c].codes + grid.n_rows);
        numbers[c] = is_number ? columns[c].reals.in_a_row() : levels[c].data();
        grid.values[c] = two_values(numbers[c], grid.n_rows);
        if (grid.values[c].empty() && !are_singles(numbers[c], grid.n_rows)) all_single = false;
    });
    give_places(grid, [&](std::int32_t c) { return grid.values[c].size() == 2; });
    grid.order = by_class(classes);
    fill_bits(grid, threads, stop, [&](std::int32_t c) {
        return [&grid, from = numbers[c], second = grid.values[c][1]](std::int64_t row) {
            return from[grid.order.empty() ? row : grid.order[row]] == second;
        };
    });
    grid.is_single = all_single;
    if (grid.is_single)
        take_numbers(grid, numbers, grid.singles, threads, stop);
    else
        take_numbers(grid, numbers, grid.reals, threads, stop);
}

}  // namespace

std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                const std::vector<std::uint16_t>& classes, int threads, Stop& stop) {
    auto grid = std::make_unique<Grid>();
    grid->n_rows = n_rows;
    grid->n_columns = static_cast<std::int32_t>(columns.size());
    grid->values.resize(columns.size());
    if (is_random)
        fill_reals(*grid, columns, classes, threads, stop);
    else
        fill_codes(*grid, columns, threads, stop);
    return grid;
}

}  // namespace hornbeam
