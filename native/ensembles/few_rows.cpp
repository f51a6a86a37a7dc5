#include "ensembles/few_rows.hpp"

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

template <class Cell>
[[gnu::always_inline]] inline void gathered_few(const ColumnCells<Cell>& cells, const std::uint32_t* rows,
                                                std::uint64_t set, double* to, double* low, double* high) {
    using Cells4 = LanesOf<Cell, 4>;
    const Cell *a = cells.columns[0], *b = cells.columns[1], *c = cells.columns[2], *d = cells.columns[3];
    const std::size_t step = cells.step;
    Numbers4 least = Numbers4{} + std::numeric_limits<double>::infinity(), most = -least;
    for (; set; set &= set - 1, to += 4) {
        const std::size_t at = rows[std::countr_zero(set)] * step;
        const Cells4 four = {a[at], b[at], c[at], d[at]};
        Numbers4 next;
        convert_lanes(four, next);
        std::memcpy(to, &next, sizeof next);
        least = HORNBEAM_SELECT(next < least, next, least);
        most = HORNBEAM_SELECT(next > most, next, most);
    }
    std::memcpy(low, &least, sizeof least);
    std::memcpy(high, &most, sizeof most);
}

// The words of one row, in memory: from there they get into four lanes at once.
constexpr auto ONE_BIT = [] {
    std::array<std::int64_t, FEW> bits{};
    for (int i = 0; i < FEW; ++i) bits[i] = static_cast<std::int64_t>(std::uint64_t{1} << i);
    return bits;
}();

}  // namespace

HORNBEAM_CLONES std::uint64_t turn(const std::uint64_t* words, std::int32_t n, std::uint64_t* columns) {
    constexpr int WIDTH = 4;
    std::fill_n(columns, FEW, 0);
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    Bits4 four[FEW / WIDTH] = {};
    for (std::int32_t i = 0; i < n; ++i) {
        any |= words[i], all &= words[i];
        four[i / WIDTH][i % WIDTH] = words[i];
    }
    const std::int32_t blocks = (n + WIDTH - 1) / WIDTH;
    for (std::uint64_t left = any & ~all; left; left &= left - 1) {
        const int column = std::countr_zero(left);
        Bits4 found = {}, place = {0, 1, 2, 3};
        for (std::int32_t i = 0; i < blocks; ++i) {
            found |= (four[i] >> column & 1) << place;
            place += WIDTH;
        }
        columns[column] = found[0] | found[1] | found[2] | found[3];
    }
    return any & ~all;
}

HORNBEAM_CLONES void gather_few(const ColumnCells<double>& cells, const std::uint32_t* rows, std::uint64_t set,
                                double* to, double* low, double* high) {
    gathered_few(cells, rows, set, to, low, high);
}
HORNBEAM_CLONES void gather_few(const ColumnCells<float>& cells, const std::uint32_t* rows, std::uint64_t set,
                                double* to, double* low, double* high) {
    gathered_few(cells, rows, set, to, low, high);
}

HORNBEAM_CLONES void part_few(const double* cells, const double* cuts, std::uint64_t set, std::uint64_t* below) {
    Numbers4 cut, cell;
    Signed4 found = {};
    std::memcpy(&cut, cuts, sizeof cut);
    for (; set; set &= set - 1, cells += 4) {
        std::memcpy(&cell, cells, sizeof cell);
        found |= (cell <= cut) & ONE_BIT[std::countr_zero(set)];
    }
    std::memcpy(below, &found, sizeof found);
}

HORNBEAM_CLONES void count(const std::uint64_t* sets, std::int32_t n, const std::uint64_t* classes, int n_classes,
                           std::int64_t* counts) {
    for (int k = 0; k < n_classes; ++k)
        for (std::int32_t i = 0; i < n; ++i) *counts++ = std::popcount(sets[i] & classes[k]);
}

}  // namespace hornbeam
