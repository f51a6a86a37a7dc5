#include "ensembles/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

using Numbers4 = LanesOf<double, LANES>;
using Words4 = LanesOf<std::int64_t, LANES>;

template <class Lanes, class From>
[[gnu::always_inline]] inline void load(Lanes& lanes, const From* from) {
    load_lanes(lanes, from);
}
// Converts floats to doubles.
[[gnu::always_inline]] inline void load(Numbers4& lanes, const float* from) {
    LanesOf<float, LANES> floats;
    load_lanes(floats, from);
    convert_lanes(floats, lanes);
}

// Compares a row with the cuts of N chunks: all bits of a lane are set if the cell is at or below its cut.
template <int N, class Cell>
struct BelowCuts {
    const Cell* by_row;
    std::size_t stride;
    const std::uint32_t* rows;
    const std::int64_t* offset;
    Numbers4 cut[N];

    [[gnu::always_inline]] BelowCuts(const CellChunks<Cell>& cells, int first)
        : by_row(cells.by_row), stride(cells.stride), rows(cells.rows), offset(cells.offset + first) {
        for (int j = 0; j < N; ++j) load(cut[j], cells.cut + LANES * (first + j));
    }
    [[gnu::always_inline]] void at(std::int32_t i, Words4* below) const {
        const Cell* row = by_row + rows[i] * stride;
        for (int j = 0; j < N; ++j) {
            Numbers4 cell;
            load(cell, row + offset[j]);
            below[j] = cell <= cut[j];
        }
    }
};

template <int N>
struct NotSet {
    const std::uint64_t* words;
    Words4 shift[N];

    [[gnu::always_inline]] NotSet(const BitChunks& bits, int first) : words(bits.words) {
        for (int j = 0; j < N; ++j) load(shift[j], bits.shift + LANES * (first + j));
    }
    [[gnu::always_inline]] void at(std::int32_t i, Words4* below) const {
        // The bit is shifted to position 0 and masked, so the sign of the word does not matter.
        const Words4 word = Words4{} + static_cast<std::int64_t>(words[i]);
        for (int j = 0; j < N; ++j) below[j] = ((word >> shift[j]) & 1) - 1;
    }
};

template <int N, class Below>
[[gnu::always_inline]] inline void add_up(const Below& from, const std::uint64_t* data, std::int32_t n,
                                          const LaneSums& sums) {
    Words4 sum[N] = {}, below[N];
    for (std::int32_t i = 0; i < n; ++i) {
        from.at(i, below);
        const Words4 row = Words4{} + static_cast<std::int64_t>(data[i]);
        for (int j = 0; j < N; ++j) sum[j] += below[j] & row;
    }
    for (int j = 0; j < N; ++j) store_lanes(sums.at + LANES * j, sum[j]);
}

template <int N, class Below>
[[gnu::always_inline]] inline void add_up(const Below& from, const NumberRow* data, std::int32_t n,
                                          const LaneSums& sums) {
    Words4 sum[N] = {}, weight[N] = {}, below[N];
    for (std::int32_t i = 0; i < n; ++i) {
        from.at(i, below);
        const Words4 number = Words4{} + data[i].number * data[i].weight, row_weight = Words4{} + data[i].weight;
        for (int j = 0; j < N; ++j) sum[j] += below[j] & number, weight[j] += below[j] & row_weight;
    }
    for (int j = 0; j < N; ++j)
        store_lanes(sums.at + LANES * j, sum[j]), store_lanes(sums.at + sums.lanes + LANES * j, weight[j]);
}

template <int N, class Below>
[[gnu::always_inline]] inline void add_row(const Below& from, const ClassRow* data, std::int32_t i, std::size_t lanes,
                                           std::int64_t* sums) {
    Words4 below[N];
    from.at(i, below);
    const Words4 row_weight = Words4{} + static_cast<std::int64_t>(data[i].weight);
    std::int64_t* to = sums + static_cast<std::size_t>(data[i].k) * lanes;
    for (int j = 0; j < N; ++j) {
        Words4 sum;
        load(sum, to + LANES * j);
        store_lanes(to + LANES * j, sum + (below[j] & row_weight));
    }
}

template <int N, class Below>
[[gnu::always_inline]] inline void add_up(const Below& from, const ClassRow* data, std::int32_t n,
                                          const LaneSums& sums) {
    constexpr int BANKS = LaneSums::BANKS;
    const std::size_t lanes = sums.lanes, bank = lanes * sums.n_sums;
    std::int32_t i = 0;
    if (n >= LaneSums::MANY) {
        for (; i + BANKS <= n; i += BANKS)
            for (int b = 0; b < BANKS; ++b) add_row<N>(from, data, i + b, lanes, sums.at + b * bank);
        for (std::size_t at = 0; at < bank; at += lanes)
            for (int j = 0; j < N; ++j) {
                std::int64_t* to = sums.at + at + LANES * j;
                Words4 sum, other;
                load(sum, to);
                for (int b = 1; b < BANKS; ++b) load(other, to + b * bank), sum += other;
                store_lanes(to, sum);
            }
    }
    for (; i < n; ++i) add_row<N>(from, data, i, lanes, sums.at);
}

template <int N, class Below>
[[gnu::always_inline]] inline void add_up(const Below& from, const ClassRuns& runs, std::int32_t,
                                          const LaneSums& sums) {
    std::int32_t i = 0;
    for (int k = 0; k < runs.n_classes; ++k) {
        Words4 sum[N] = {}, below[N];
        for (const auto end = i + static_cast<std::int32_t>(runs.counts[k]); i < end; ++i) {
            from.at(i, below);
            for (int j = 0; j < N; ++j) sum[j] -= below[j];
        }
        for (int j = 0; j < N; ++j) store_lanes(sums.at + static_cast<std::size_t>(k) * sums.lanes + LANES * j, sum[j]);
    }
}

// What compares a row with the cuts of N chunks.
template <int N, class From>
struct CompareRow {
    using type = NotSet<N>;
};
template <int N, class Cell>
struct CompareRow<N, CellChunks<Cell>> {
    using type = BelowCuts<N, Cell>;
};

// Calls use(number of chunks, first chunk) for batches of chunks that fit in registers.
template <class Use>
[[gnu::always_inline]] inline void in_batches(int n_chunks, const Use& use) {
    for (int first = 0; first < n_chunks; first += REGISTER_CHUNKS) {
        switch (std::min(REGISTER_CHUNKS, n_chunks - first)) {
            case 1:
                use(std::integral_constant<int, 1>(), first);
                break;
            case 2:
                use(std::integral_constant<int, 2>(), first);
                break;
            case 3:
                use(std::integral_constant<int, 3>(), first);
                break;
            case 4:
                use(std::integral_constant<int, 4>(), first);
                break;
            case 5:
                use(std::integral_constant<int, 5>(), first);
                break;
            default:
                use(std::integral_constant<int, REGISTER_CHUNKS>(), first);
                break;
        }
    }
}

template <int N, class Cell>
[[gnu::always_inline]] inline void ranges(const CellChunks<Cell>& cells, int first, std::int32_t n, double* low,
                                          double* high) {
    const Cell* by_row = cells.by_row;
    const std::uint32_t* rows = cells.rows;
    const std::int64_t* offset = cells.offset + first;
    Numbers4 minimum[N], maximum[N];
    for (int j = 0; j < N; ++j) {
        load(minimum[j], by_row + rows[0] * cells.stride + offset[j]);
        maximum[j] = minimum[j];
    }
    for (std::int32_t i = 1; i < n; ++i) {
        const Cell* row = by_row + rows[i] * cells.stride;
        for (int j = 0; j < N; ++j) {
            Numbers4 next;
            load(next, row + offset[j]);
            minimum[j] = HORNBEAM_SELECT(next < minimum[j], next, minimum[j]);
            maximum[j] = HORNBEAM_SELECT(next > maximum[j], next, maximum[j]);
        }
    }
    for (int j = 0; j < N; ++j) store_lanes(low + LANES * j, minimum[j]), store_lanes(high + LANES * j, maximum[j]);
}

// Four cells at a time, of one row or several.
template <int W, class Cell>
[[gnu::always_inline]] inline void gathered_of(const ColumnCells<Cell>& cells, const std::uint32_t* rows,
                                               std::int32_t n, Cell* to, double* low, double* high) {
    using Cells4 = LanesOf<Cell, LANES>;
    const Cell* const* columns = cells.columns;
    const std::size_t step = cells.step;
    constexpr std::int32_t ROWS_PER_STEP = LANES / W;
    const Cell *a = columns[0], *b = columns[1 % W], *c = columns[2 % W], *d = columns[3 % W];
    Cells4 minimum = Cells4{} + std::numeric_limits<Cell>::infinity(), maximum = -minimum;
    std::int32_t i = 0;
    for (; i + ROWS_PER_STEP <= n; i += ROWS_PER_STEP, to += LANES) {
        const Cells4 next = {a[rows[i] * step], b[rows[i + 1 / W] * step], c[rows[i + 2 / W] * step],
                             d[rows[i + 3 / W] * step]};
        store_lanes(to, next);
        minimum = HORNBEAM_SELECT(next < minimum, next, minimum);
        maximum = HORNBEAM_SELECT(next > maximum, next, maximum);
    }
    for (; i < n; ++i)
        for (int j = 0; j < W; ++j) {
            const Cell next = *to++ = columns[j][rows[i] * step];
            minimum[j] = std::min<Cell>(minimum[j], next);
            maximum[j] = std::max<Cell>(maximum[j], next);
        }
    for (int j = 0; j < W; ++j) {
        low[j] = minimum[j], high[j] = maximum[j];
        for (int other = j + W; other < LANES; other += W) {
            low[j] = std::min<double>(low[j], minimum[other]);
            high[j] = std::max<double>(high[j], maximum[other]);
        }
    }
}

// The largest cell at or below a cut: a cell is at or below the cut if and only if it is at or below this cell.
[[gnu::always_inline]] inline void round_down(double cut, double& cell) { cell = cut; }
[[gnu::always_inline]] inline void round_down(double cut, float& cell) {
    cell = static_cast<float>(cut);
    if (static_cast<double>(cell) > cut) cell = std::nextafter(cell, -std::numeric_limits<float>::infinity());
}

// Compares the cells of the rows of each class in complete registers, with cells of any column.
template <int W, class Cell>
[[gnu::always_inline]] inline void add_flat(const Cell* cells, const double* cut, const ClassRuns& runs,
                                            const LaneSums& sums) {
    constexpr int WIDE = 32 / sizeof(Cell);
    using Register = LanesOf<Cell, WIDE>;
    Cell down[W];
    for (int j = 0; j < W; ++j) round_down(cut[j], down[j]);
    Register cuts;
    for (int j = 0; j < WIDE; ++j) cuts[j] = down[j % W];
    for (int k = 0; k < runs.n_classes; ++k) {
        decltype(cuts <= cuts) wide = {};
        std::int64_t below[LANES] = {};
        const Cell* end = cells + W * runs.counts[k];
        for (; end - cells >= WIDE; cells += WIDE) {
            Register next;
            load(next, cells);
            wide -= next <= cuts;
        }
        for (int j = 0; j < WIDE; ++j) below[j % W] += wide[j];
        for (; cells < end; cells += W)
            for (int j = 0; j < W; ++j) below[j] += cells[j] <= cuts[j];
        std::copy_n(below, LANES, sums.at + static_cast<std::size_t>(k) * sums.lanes);
    }
}

}  // namespace

template <class Cell>
HORNBEAM_CLONES void ranges_of(const CellChunks<Cell>& cells, std::int32_t n, double* low, double* high) {
    in_batches(cells.n_chunks, [&](auto width, int first) HORNBEAM_INLINE {
        ranges<width()>(cells, first, n, low + LANES * first, high + LANES * first);
    });
}
template void ranges_of(const CellChunks<double>&, std::int32_t, double*, double*);
template void ranges_of(const CellChunks<float>&, std::int32_t, double*, double*);

template <class Cell>
HORNBEAM_CLONES void gather(const ColumnCells<Cell>& cells, const std::uint32_t* rows, std::int32_t n, Cell* to,
                            double* low, double* high) {
    if (cells.width == 1) return gathered_of<1>(cells, rows, n, to, low, high);
    if (cells.width == 2) return gathered_of<2>(cells, rows, n, to, low, high);
    gathered_of<LANES>(cells, rows, n, to, low, high);
}
template void gather(const ColumnCells<double>&, const std::uint32_t*, std::int32_t, double*, double*, double*);
template void gather(const ColumnCells<float>&, const std::uint32_t*, std::int32_t, float*, double*, double*);

template <class From, class Data>
HORNBEAM_CLONES void sum_below(const From& from, const Data& data, std::int32_t n, const LaneSums& sums) {
    in_batches(from.n_chunks, [&](auto width, int first) HORNBEAM_INLINE {
        const typename CompareRow<width(), From>::type below(from, first);
        add_up<width()>(below, data, n, sums.from(static_cast<std::size_t>(LANES) * first));
    });
}
#define HORNBEAM_SUM_BELOW(From)                                                                      \
    template void sum_below(const From&, const std::uint64_t* const&, std::int32_t, const LaneSums&); \
    template void sum_below(const From&, const NumberRow* const&, std::int32_t, const LaneSums&);     \
    template void sum_below(const From&, const ClassRow* const&, std::int32_t, const LaneSums&);      \
    template void sum_below(const From&, const ClassRuns&, std::int32_t, const LaneSums&);
HORNBEAM_SUM_BELOW(CellChunks<double>)
HORNBEAM_SUM_BELOW(CellChunks<float>)
HORNBEAM_SUM_BELOW(BitChunks)
#undef HORNBEAM_SUM_BELOW

template <class Cell>
HORNBEAM_CLONES void sum_below(const Cell* cells, int width, const double* cut, const ClassRuns& runs,
                               const LaneSums& sums) {
    if (width == 1) return add_flat<1>(cells, cut, runs, sums);
    if (width == 2) return add_flat<2>(cells, cut, runs, sums);
    add_flat<LANES>(cells, cut, runs, sums);
}
template void sum_below(const double*, int, const double*, const ClassRuns&, const LaneSums&);
template void sum_below(const float*, int, const double*, const ClassRuns&, const LaneSums&);

}  // namespace hornbeam
