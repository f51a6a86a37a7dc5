#include "ensembles/grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/ranks.hpp"
#include "ensembles/lanes.hpp"

namespace hornbeam {
namespace {

// Every column gets a bit or a cell.
template <class IsTwo>
void give_places(Grid& grid, const IsTwo& is_two) {
    std::int32_t bits = 0;
    grid.stride = 0;
    grid.bit.assign(grid.n_columns, -1);
    grid.place.assign(grid.n_columns, -1);
    for (std::int32_t c = 0; c < grid.n_columns; ++c)
        if (bits < 64 && is_two(c))
            grid.bit[c] = bits++;
        else
            grid.place[c] = grid.stride++;
}

// Rows are copied in strips, so that both sides stay in the cache.
template <class From, class Cell>
void fill_rows(Grid& grid, const std::vector<const From*>& by_column, LargePages<Cell>& by_row, int threads,
               Stop& stop) {
    constexpr std::int64_t STRIP = 256;
    const auto stride = static_cast<std::size_t>(grid.stride);
    by_row.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows) * stride));
    grid.bits.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows)));
    Cell* to = by_row.data();
    std::uint64_t* bits = grid.bits.data();
    parallel_for((grid.n_rows + STRIP - 1) / STRIP, threads, stop, [&](std::int64_t strip, int) {
        const std::int64_t begin = strip * STRIP, end = std::min(grid.n_rows, begin + STRIP);
        std::fill(bits + begin, bits + end, 0);
        std::fill(to + static_cast<std::size_t>(begin) * stride, to + static_cast<std::size_t>(end) * stride, Cell{});
        for (std::int32_t c = 0; c < grid.n_columns; ++c) {
            const From* from = by_column[c];
            const std::int32_t bit = grid.bit[c];
            const From second = bit < 0 || !grid.is_real ? From{1} : static_cast<From>(grid.values[c][1]);
            for (std::int64_t row = begin; row < end; ++row)
                if (bit < 0)
                    to[static_cast<std::size_t>(row) * stride + grid.place[c]] = static_cast<Cell>(from[row]);
                else
                    bits[row] |= static_cast<std::uint64_t>(from[row] == second) << bit;
        }
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
    if (grid.is_narrow) {
        take_codes(grid.narrow, codes);
        fill_rows(grid, grid.narrow.by_column, grid.narrow.by_row, threads, stop);
    } else {
        take_codes(grid.wide, codes);
        fill_rows(grid, grid.wide.by_column, grid.wide.by_row, threads, stop);
    }
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

void fill_reals(Grid& grid, const std::vector<SourceColumn>& columns, int threads, Stop& stop) {
    grid.is_real = true;
    Cells<double>& reals = grid.reals;
    reals.kept.resize(columns.size());
    reals.by_column.resize(columns.size());
    std::atomic<bool> all_single{true};
    parallel_for(static_cast<std::int64_t>(columns.size()), threads, stop, [&](std::int64_t c, int) {
        const bool is_number = columns[c].kind == Kind::numeric;
        if (!is_number) reals.kept[c].assign(columns[c].codes, columns[c].codes + grid.n_rows);
        reals.by_column[c] = is_number ? columns[c].reals.in_a_row() : reals.kept[c].data();
        grid.values[c] = two_values(reals.by_column[c], grid.n_rows);
        if (grid.values[c].empty() && !are_singles(reals.by_column[c], grid.n_rows)) all_single = false;
    });
    give_places(grid, [&](std::int32_t c) { return grid.values[c].size() == 2; });
    grid.stride = (grid.stride + LANES - 1) / LANES * LANES;
    grid.is_single = all_single;
    if (grid.is_single)
        fill_rows(grid, reals.by_column, grid.singles, threads, stop);
    else
        fill_rows(grid, reals.by_column, reals.by_row, threads, stop);
}

}  // namespace

void* large_pages(std::size_t bytes) {
    constexpr std::size_t PAGE = std::size_t{1} << 21;
    if (bytes < PAGE) return std::malloc(bytes);
    void* found = std::aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
#ifdef MADV_HUGEPAGE
    if (found) madvise(found, bytes, MADV_HUGEPAGE);  // a wish: where it is not granted, small pages serve
#endif
    return found;
}

std::unique_ptr<Grid> make_grid(const std::vector<SourceColumn>& columns, std::int64_t n_rows, bool is_random,
                                int threads, Stop& stop) {
    auto grid = std::make_unique<Grid>();
    grid->n_rows = n_rows;
    grid->n_columns = static_cast<std::int32_t>(columns.size());
    grid->values.resize(columns.size());
    if (is_random)
        fill_reals(*grid, columns, threads, stop);
    else
        fill_codes(*grid, columns, threads, stop);
    return grid;
}

}  // namespace hornbeam
