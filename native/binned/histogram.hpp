// What do the rows of a node add up to in every bin?  One pass over the rows, four columns at a time.
//
//     cells of a bin, all whole numbers            a row adds
//     two classes     1: second class << 32 | rows     1, and its class
//     classes         K: rows of every class           1 to its class
//     numbers         2: sum, rows                     its number and 1
//     weighed classes K + 1: weights, rows             its weight to its class, and 1
//     weighed numbers 3: sum, weight, rows             all three
//     pairs           2: as given a row                both (boosting: gradient; hessian << bits | 1)
//     others          the cell of a statistic, rows    its targets, and 1
//
// Sums of integers do not depend on order: a histogram may be added up in blocks, by any thread, or left over when a
// sibling's is taken from the parent's.
#pragma once

#include <cstdint>
#include <vector>

#include "binned/bins.hpp"
#include "core/portable.hpp"
#include "statistics/any_statistic.hpp"

namespace hornbeam {

enum class CellKind : int { two_classes, classes, numbers, weighed_classes, weighed_numbers, pairs, others };

struct alignas(16) Pair {
    std::int64_t first, second;
};

// What the rows hold, by the kind of cells.
struct CellSource {
    CellKind kind = CellKind::two_classes;
    int n_classes = 0;
    const std::uint8_t* two_classes = nullptr;
    const std::uint16_t* classes = nullptr;
    const std::int64_t* sums = nullptr;
    const std::int64_t* weights = nullptr;
    const Pair* pairs = nullptr;
    const AnyStatistic* statistic = nullptr;  // others

    int statistic_width() const {
        return std::visit([](const auto& each) { return each.width(); }, *statistic);
    }
    int width() const {
        switch (kind) {
            case CellKind::two_classes:
                return 1;
            case CellKind::classes:
                return n_classes;
            case CellKind::weighed_classes:
                return n_classes + 1;
            case CellKind::weighed_numbers:
                return 3;
            case CellKind::others:
                return statistic_width() + 1;
            default:
                return 2;
        }
    }
    std::int64_t rows_in(const std::int64_t* cell) const {
        switch (kind) {
            case CellKind::two_classes:
                return cell[0] & 0xFFFFFFFF;
            case CellKind::classes: {
                std::int64_t sum = 0;
                for (int k = 0; k < n_classes; ++k) sum += cell[k];
                return sum;
            }
            case CellKind::numbers:
                return cell[1];
            case CellKind::weighed_classes:
                return cell[n_classes];
            case CellKind::weighed_numbers:
                return cell[2];
            case CellKind::others:
                return cell[statistic_width()];
            default:
                return cell[1];  // above 0 where there are rows
        }
    }
};

// Where the cells of every column begin in a histogram of all columns.
struct CellPlan {
    int width = 1;
    std::vector<std::size_t> start;  // of every column, in numbers
    std::size_t size = 0;            // of a whole histogram

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

// What is added up, and where: the bins of a table, what their rows hold, the places of the cells.
struct BinSums {
    const BinnedTable& table;
    const CellSource& source;
    const CellPlan& plan;
};

// Adds n rows to the cells of the columns of one word (or of one wide column); or takes them away.
void add_word(const BinSums& sums, std::size_t word, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells,
              bool take_away = false);
void add_wide(const BinSums& sums, std::int32_t column, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells,
              bool take_away = false);

// The codes that the rows of a small node have in the four columns of a word: a bit a code.
struct PresentBits {
    std::uint64_t bits[COLUMNS_A_WORD][4];
};
void mark_word(const std::uint32_t* words, const std::uint32_t* rows, std::int64_t n, PresentBits& out);

// from[i] -= less[i]
void subtract(std::int64_t* from, const std::int64_t* less, std::size_t n);

}  // namespace hornbeam
