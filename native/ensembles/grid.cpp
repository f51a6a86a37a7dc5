#include "ensembles/grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/ranks.hpp"

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
template <class Cell>
void fill_rows(Grid& grid, Cells<Cell>& cells, int threads, Stop& stop) {
    constexpr std::int64_t STRIP = 256;
    const auto stride = static_cast<std::size_t>(grid.stride);
    cells.by_row.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows) * stride));
    grid.bits.resize(std::max<std::size_t>(1, static_cast<std::size_t>(grid.n_rows)));
    Cell* to = cells.by_row.data();
    std::uint64_t* bits = grid.bits.data();
    parallel_for((grid.n_rows + STRIP - 1) / STRIP, threads, stop, [&](std::int64_t strip, int) {
        const std::int64_t begin = strip * STRIP, end = std::min(grid.n_rows, begin + STRIP);
        std::fill(bits + begin, bits + end, 0);
        for (std::int32_t c = 0; c < grid.n_columns; ++c) {
            const Cell* from = cells.by_column[c];
            const std::int32_t bit = grid.bit[c];
            for (std::int64_t row = begin; row < end; ++row)
                if (bit < 0)
                    to[static_cast<std::size_t>(row) * stride + grid.place[c]] = from[row];
                else
                    bits[row] |= static_cast<std::uint64_t>(from[row]) << bit;
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

// False, with nothing filled, when there are more than `most_values` of them in all.
bool fill_codes(Grid& grid, const std::vector<SourceColumn>& columns, std::size_t most_values, int threads,
                Stop& stop) {
    std::vector<std::vector<std::uint32_t>> codes(columns.size());
    std::atomic<std::size_t> n_values{0};
    grid.values.resize(columns.size());
    parallel_for(static_cast<std::int64_t>(columns.size()), threads, stop, [&](std::int64_t c, int) {
        if (n_values.load() > most_values) return;
        const SourceColumn& from = columns[c];
        ReadyColumn ready =
            from.kind == Kind::numeric ? ranked(from.reals.in_a_row(), grid.n_rows, true) : coded(from, grid.n_rows);
        if (from.kind != Kind::numeric) {
            ready.values.resize(ready.n_codes);
            for (std::uint32_t code = 0; code < ready.n_codes; ++code) ready.values[code] = code;
        }
        grid.values[c] = Values(std::move(ready.values));
        n_values += grid.values[c].size();
        codes[c] = codes_of(ready, grid.n_rows);
    });
    if (n_values.load() > most_values) return false;
    std::size_t most = 0;
    for (const auto& values : grid.values) most = std::max(most, values.size());
    grid.is_narrow = most <= 65536;
    give_places(grid, [&](std::int32_t c) { return grid.values[c].size() == 2; });
    if (grid.is_narrow) {
        take_codes(grid.narrow, codes);
        fill_rows(grid, grid.narrow, threads, stop);
    } else {
        take_codes(grid.wide, codes);
        fill_rows(grid, grid.wide, threads, stop);
    }
    return true;
}

void fill_reals(Grid& grid, const std::vector<SourceColumn>& columns, int threads, Stop& stop) {
    grid.is_real = true;
    Cells<double>& reals = grid.reals;
    reals.kept.resize(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const bool is_number = columns[c].kind == Kind::numeric;
        if (!is_number) reals.kept[c].assign(columns[c].codes, columns[c].codes + grid.n_rows);
        reals.by_column.push_back(is_number ? columns[c].reals.in_a_row() : reals.kept[c].data());
    }
    give_places(grid, [](std::int32_t) { return false; });
    fill_rows(grid, reals, threads, stop);
}

}  // namespace

Values::Values(std::vector<double>&& values) : values_(std::move(values)) {
    constexpr std::size_t FEW = 64, A_STEP = 16, MOST_STEPS = 4096;
    if (values_.size() <= FEW) return;
    const std::size_t steps = std::min(values_.size() / A_STEP, MOST_STEPS);
    lowest_ = values_.front();
    per_step_ = static_cast<double>(steps) / (values_.back() - lowest_);
    if (!std::isfinite(per_step_) || !std::isfinite(lowest_) || !(per_step_ > 0)) return;
    starts_.resize(steps + 1, static_cast<std::uint32_t>(values_.size()));
    for (std::size_t code = values_.size(); code-- > 0;)
        starts_[step_of(values_[code])] = static_cast<std::uint32_t>(code);
    for (std::size_t step = steps; step-- > 0;) starts_[step] = std::min(starts_[step], starts_[step + 1]);
}

// Rounding keeps the order, so no value of a lower step lies above x and none of a higher step below it.
std::size_t Values::step_of(double x) const {
    return std::min(static_cast<std::size_t>((x - lowest_) * per_step_), starts_.size() - 2);
}

std::uint32_t Values::at_or_below(double x) const {
    const double* first = values_.data();
    const double* last = first + values_.size();
    if (!starts_.empty()) {
        const std::size_t step = step_of(x);
        last = first + starts_[step + 1];
        first += starts_[step];
    }
    return static_cast<std::uint32_t>(std::upper_bound(first, last, x) - values_.data()) - 1;
}

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
    // Values that random cuts are looked up in stay in the cache up to here.
    const std::size_t most = is_random ? std::size_t{1} << 16 : std::numeric_limits<std::size_t>::max();
    if (!fill_codes(*grid, columns, most, threads, stop)) fill_reals(*grid, columns, threads, stop);
    return grid;
}

}  // namespace hornbeam
