#include "ensembles/lanes.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/clones.hpp"

namespace hornbeam {
namespace {

typedef double Numbers4 __attribute__((vector_size(8 * LANES)));
typedef std::int64_t Words4 __attribute__((vector_size(8 * LANES)));

template <class Lanes, class From>
[[gnu::always_inline]] inline void load(Lanes& lanes, const From* from) {
    std::memcpy(&lanes, from, sizeof lanes);
}
// Numbers in single precision become doubles.
[[gnu::always_inline]] inline void load(Numbers4& lanes, const float* from) {
    typedef float Singles4 __attribute__((vector_size(4 * LANES)));
    Singles4 singles;
    std::memcpy(&singles, from, sizeof singles);
    lanes = __builtin_convertvector(singles, Numbers4);
}
template <class Lanes, class To>
[[gnu::always_inline]] inline void store(To* to, const Lanes& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}

// Where the rows of N chunks lie below: all bits set in a lane, or none.
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
        // The bit is shifted to the lowest place: bits beyond it are cut off, so the sign of the word does not matter.
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
    for (int j = 0; j < N; ++j) store(sums.at + LANES * j, sum[j]);
}

template <int N, class Below>
[[gnu::always_inline]] inline void add_up(const Below& from, const NumberRow* data, std::int32_t n,
                                          const LaneSums& sums) {
    Words4 sum[N] = {}, weight[N] = {}, below[N];
    for (std::int32_t i = 0; i < n; ++i) {
        from.at(i, below);
        const Words4 number = Words4{} + data[i].number * data[i].weight, weighs = Words4{} + data[i].weight;
        for (int j = 0; j < N; ++j) sum[j] += below[j] & number, weight[j] += below[j] & weighs;
    }
    for (int j = 0; j < N; ++j) store(sums.at + LANES * j, sum[j]), store(sums.at + sums.lanes + LANES * j, weight[j]);
}

template <int N, class Below>
[[gnu::always_inline]] inline void add_row(const Below& from, const ClassRow* data, std::int32_t i, std::size_t lanes,
                                           std::int64_t* sums) {
    Words4 below[N];
    from.at(i, below);
    const Words4 weighs = Words4{} + static_cast<std::int64_t>(data[i].weight);
    std::int64_t* to = sums + static_cast<std::size_t>(data[i].k) * lanes;
    for (int j = 0; j < N; ++j) {
        Words4 sum;
        load(sum, to + LANES * j);
        store(to + LANES * j, sum + (below[j] & weighs));
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
                store(to, sum);
            }
    }
    for (; i < n; ++i) add_row<N>(from, data, i, lanes, sums.at);
}

template <int N>
struct BelowDoubles : BelowCuts<N, double> {
    using BelowCuts<N, double>::BelowCuts;
};
template <int N>
struct BelowSingles : BelowCuts<N, float> {
    using BelowCuts<N, float>::BelowCuts;
};

// Calls use(how many, the first) for as many chunks at a time as stay in registers.
template <class Use>
[[gnu::always_inline]] inline void in_turns(int n_chunks, const Use& use) {
    for (int first = 0; first < n_chunks; first += ABREAST) {
        switch (std::min(ABREAST, n_chunks - first)) {
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
                use(std::integral_constant<int, ABREAST>(), first);
                break;
        }
    }
}

template <template <int> class Below, class From, class Row>
[[gnu::always_inline]] inline void add_all(const From& from, const Row* data, std::int32_t n, const LaneSums& sums) {
    in_turns(from.n_chunks, [&](auto width, int first) __attribute__((always_inline)) {
        add_up<width()>(Below<width()>(from, first), data, n, sums.from(static_cast<std::size_t>(LANES) * first));
    });
}

template <int N, class Cell>
[[gnu::always_inline]] inline void ranges(const CellChunks<Cell>& cells, int first, std::int32_t n, double* low,
                                          double* high) {
    const Cell* by_row = cells.by_row;
    const std::uint32_t* rows = cells.rows;
    const std::int64_t* offset = cells.offset + first;
    Numbers4 least[N], most[N];
    for (int j = 0; j < N; ++j) {
        load(least[j], by_row + rows[0] * cells.stride + offset[j]);
        most[j] = least[j];
    }
    for (std::int32_t i = 1; i < n; ++i) {
        const Cell* row = by_row + rows[i] * cells.stride;
        for (int j = 0; j < N; ++j) {
            Numbers4 next;
            load(next, row + offset[j]);
            least[j] = next < least[j] ? next : least[j];
            most[j] = next > most[j] ? next : most[j];
        }
    }
    for (int j = 0; j < N; ++j) store(low + LANES * j, least[j]), store(high + LANES * j, most[j]);
}

template <class Cell>
[[gnu::always_inline]] inline void gathered(const Cell* const* columns, std::size_t step, const std::uint32_t* rows,
                                            std::int32_t n, double* to, double* low, double* high) {
    typedef Cell Cells4 __attribute__((vector_size(sizeof(Cell) * LANES)));
    const Cell *a = columns[0], *b = columns[1], *c = columns[2], *d = columns[3];
    Numbers4 least, most;
    const auto put = [&](std::int32_t i, Numbers4& next) {
        const std::size_t at = rows[i] * step;
        const Cells4 cells = {a[at], b[at], c[at], d[at]};
        next = __builtin_convertvector(cells, Numbers4);
        store(to + static_cast<std::size_t>(i) * LANES, next);
    };
    put(0, least);
    most = least;
    for (std::int32_t i = 1; i < n; ++i) {
        Numbers4 next;
        put(i, next);
        least = next < least ? next : least;
        most = next > most ? next : most;
    }
    store(low, least), store(high, most);
}

template <class Cell>
[[gnu::always_inline]] inline void all_ranges(const CellChunks<Cell>& cells, std::int32_t n, double* low,
                                              double* high) {
    in_turns(cells.n_chunks, [&](auto width, int first) __attribute__((always_inline)) {
        ranges<width()>(cells, first, n, low + LANES * first, high + LANES * first);
    });
}

}  // namespace

HORNBEAM_CLONES void ranges_of(const CellChunks<double>& cells, std::int32_t n, double* low, double* high) {
    all_ranges(cells, n, low, high);
}
HORNBEAM_CLONES void ranges_of(const CellChunks<float>& cells, std::int32_t n, double* low, double* high) {
    all_ranges(cells, n, low, high);
}
HORNBEAM_CLONES void gather(const double* const* columns, std::size_t step, const std::uint32_t* rows, std::int32_t n,
                            double* to, double* low, double* high) {
    gathered(columns, step, rows, n, to, low, high);
}
HORNBEAM_CLONES void gather(const float* const* columns, std::size_t step, const std::uint32_t* rows, std::int32_t n,
                            double* to, double* low, double* high) {
    gathered(columns, step, rows, n, to, low, high);
}
HORNBEAM_CLONES void sum_below(const CellChunks<double>& cells, const std::uint64_t* data, std::int32_t n,
                               const LaneSums& sums) {
    add_all<BelowDoubles>(cells, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const CellChunks<double>& cells, const NumberRow* data, std::int32_t n,
                               const LaneSums& sums) {
    add_all<BelowDoubles>(cells, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const CellChunks<double>& cells, const ClassRow* data, std::int32_t n,
                               const LaneSums& sums) {
    add_all<BelowDoubles>(cells, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const CellChunks<float>& cells, const std::uint64_t* data, std::int32_t n,
                               const LaneSums& sums) {
    add_all<BelowSingles>(cells, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const CellChunks<float>& cells, const NumberRow* data, std::int32_t n,
                               const LaneSums& sums) {
    add_all<BelowSingles>(cells, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const CellChunks<float>& cells, const ClassRow* data, std::int32_t n,
                               const LaneSums& sums) {
    add_all<BelowSingles>(cells, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const BitChunks& bits, const std::uint64_t* data, std::int32_t n, const LaneSums& sums) {
    add_all<NotSet>(bits, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const BitChunks& bits, const NumberRow* data, std::int32_t n, const LaneSums& sums) {
    add_all<NotSet>(bits, data, n, sums);
}
HORNBEAM_CLONES void sum_below(const BitChunks& bits, const ClassRow* data, std::int32_t n, const LaneSums& sums) {
    add_all<NotSet>(bits, data, n, sums);
}

}  // namespace hornbeam
