// Histograms: the sums of the rows of a node per bin, computed in one pass over the rows, four columns at a time.
//
//     cells of a bin, all integers                 a row adds
//     two classes      1: second class << 32 | rows     1, and its class
//     classes          K: rows of every class           1 to its class
//     numbers          2: sum, rows                     its number and 1
//     weighted classes K + 1: weights, rows             its weight to its class, and 1
//     weighted numbers 3: sum, weight, rows             all three
//     pairs            2: the pair of a row             both (boosting: gradient; hessian << bits | 1)
//     others           the cell of a statistic, rows    its targets, and 1
//
// Sums of integers do not depend on the order: a histogram can be built in blocks, by any thread, or by subtracting
// that of the sibling from that of the parent.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "binned/bins.hpp"
#include "core/portable.hpp"
#include "statistics/any_statistic.hpp"

namespace hornbeam {

enum class CellKind : int { two_classes, classes, numbers, weighted_classes, weighted_numbers, pairs, others };

struct alignas(16) Pair {
    std::int64_t first, second;
};

// The targets of rows, by the kind of cell.
struct CellSource {
    CellKind kind = CellKind::two_classes;
    int n_classes = 0;
    const std::uint8_t* two_classes = nullptr;
    const std::uint16_t* classes = nullptr;
    const std::int64_t* sums = nullptr;
    const std::int64_t* weights = nullptr;
    const Pair* pairs = nullptr;
    const AnyStatistic* statistic = nullptr;  // others

    int width() const {
        switch (kind) {
            case CellKind::two_classes:
                return 1;
            case CellKind::classes:
                return n_classes;
            case CellKind::weighted_classes:
                return n_classes + 1;
            case CellKind::weighted_numbers:
                return 3;
            case CellKind::others:
                return std::visit([](const auto& each) { return each.width(); }, *statistic) + 1;
            default:
                return 2;
        }
    }
    std::int64_t rows_in(const std::int64_t* cell) const {
        if (kind == CellKind::two_classes) return cell[0] & 0xFFFFFFFF;
        if (kind == CellKind::classes) return std::accumulate(cell, cell + n_classes, std::int64_t{0});
        return cell[width() - 1];  // of pairs: above 0 if there are rows
    }
};

// The offsets of the cells of every column in a histogram of all columns.
struct CellPlan {
    int width = 1;
    std::vector<std::size_t> start;  // per column, in integers
    std::size_t size = 0;            // of a complete histogram

    CellPlan() = default;
    CellPlan(const BinnedTable& table, int width);
};

// Adds two sums at once to the cell of a code.
using TwoSums = LanesOf<std::int64_t, 2>;
[[gnu::always_inline]] inline void add_two(std::int64_t* cells, std::uint32_t code, const TwoSums& step) {
    TwoSums cell;
    load_lanes(cell, cells + code * std::size_t{2});
    cell += step;
    store_lanes(cells + code * std::size_t{2}, cell);
}

// The input of a histogram: the bins of a table, the targets of its rows, the offsets of the cells.
struct BinSums {
    const BinnedTable& table;
    const CellSource& source;
    const CellPlan& plan;
};

// Adds rows to the cells of the columns of one group; or subtracts them.
void add_rows(const BinSums& sums, std::size_t group, std::span<const std::uint32_t> rows, std::int64_t* cells,
              bool is_subtracted = false);

// The codes of the rows of a small node in the four columns of a word: one bit per code.
struct PresentBits {
    std::uint64_t bits[COLUMNS_PER_WORD][4];
};
void mark_word(const std::uint32_t* words, std::span<const std::uint32_t> rows, PresentBits& out);

// from[i] -= less[i]
void subtract(std::int64_t* from, const std::int64_t* less, std::size_t n);

}  // namespace hornbeam
