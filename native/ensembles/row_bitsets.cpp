#include "ensembles/row_bitsets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

using Numbers4 = LanesOf<double, 4>;
using Bits4 = LanesOf<std::uint64_t, 4>;
using Signed4 = LanesOf<std::int64_t, 4>;

// The bit of each row, as a table: loading an entry broadcasts it to four lanes.
constexpr auto ONE_BIT = [] {
    std::array<std::int64_t, BITSET_ROWS> bits{};
    for (int i = 0; i < BITSET_ROWS; ++i) bits[i] = static_cast<std::int64_t>(std::uint64_t{1} << i);
    return bits;
}();

}  // namespace

HORNBEAM_CLONES std::uint64_t transpose_bits(const std::uint64_t* words, std::int32_t n, std::uint64_t* columns) {
    constexpr int WIDTH = 4;
    std::fill_n(columns, BITSET_ROWS, 0);
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    Bits4 four[BITSET_ROWS / WIDTH] = {};
    for (std::int32_t i = 0; i < n; ++i) {
        any |= words[i], all &= words[i];
        four[i / WIDTH][i % WIDTH] = words[i];
    }
    const std::int32_t blocks = (n + WIDTH - 1) / WIDTH;
    for (std::uint64_t remaining = any & ~all; remaining; remaining &= remaining - 1) {
        const int column = std::countr_zero(remaining);
        Bits4 found = {}, position = {0, 1, 2, 3};
        for (std::int32_t i = 0; i < blocks; ++i) {
            found |= (four[i] >> column & 1) << position;
            position += WIDTH;
        }
        columns[column] = found[0] | found[1] | found[2] | found[3];
    }
    return any & ~all;
}

template <class Cell>
HORNBEAM_CLONES void gather_set(const ColumnCells<Cell>& cells, const std::uint32_t* rows, std::uint64_t set,
                                double* to, double* low, double* high) {
    using Cells4 = LanesOf<Cell, 4>;
    const Cell *a = cells.columns[0], *b = cells.columns[1], *c = cells.columns[2], *d = cells.columns[3];
    const std::size_t step = cells.step;
    Numbers4 minimum = Numbers4{} + std::numeric_limits<double>::infinity(), maximum = -minimum;
    for (; set; set &= set - 1, to += 4) {
        const std::size_t at = rows[std::countr_zero(set)] * step;
        const Cells4 four = {a[at], b[at], c[at], d[at]};
        Numbers4 next;
        convert_lanes(four, next);
        std::memcpy(to, &next, sizeof next);
        minimum = HORNBEAM_SELECT(next < minimum, next, minimum);
        maximum = HORNBEAM_SELECT(next > maximum, next, maximum);
    }
    std::memcpy(low, &minimum, sizeof minimum);
    std::memcpy(high, &maximum, sizeof maximum);
}
template void gather_set(const ColumnCells<double>&, const std::uint32_t*, std::uint64_t, double*, double*, double*);
template void gather_set(const ColumnCells<float>&, const std::uint32_t*, std::uint64_t, double*, double*, double*);

HORNBEAM_CLONES void rows_below(const double* cells, const double* cuts, std::uint64_t set, std::uint64_t* below) {
    Numbers4 cut, cell;
    Signed4 found = {};
    std::memcpy(&cut, cuts, sizeof cut);
    for (; set; set &= set - 1, cells += 4) {
        std::memcpy(&cell, cells, sizeof cell);
        found |= (cell <= cut) & ONE_BIT[std::countr_zero(set)];
    }
    std::memcpy(below, &found, sizeof found);
}

HORNBEAM_CLONES void count_rows(const std::uint64_t* sets, std::int32_t n, const std::uint64_t* classes, int n_classes,
                                std::int64_t* counts) {
    for (int k = 0; k < n_classes; ++k)
        for (std::int32_t i = 0; i < n; ++i) *counts++ = std::popcount(sets[i] & classes[k]);
}

}  // namespace hornbeam
