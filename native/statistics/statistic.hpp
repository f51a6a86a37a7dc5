// Statistic: what is added up per group of rows. A cell is `width` integers; cells are added in any order, so the
// sums of a group do not depend on threads, blocks or pieces.
//
// A statistic is a value with the functions of the concept below, in a header of its own, and an entry in
// statistics/any_statistic.hpp. Every search, rule for missing values, order and source then serves it: sorted lists by
// the running scores of searches/cell_scores.hpp, codes, levels, intervals and bins by tables of cells.
#pragma once

#include <concepts>
#include <cstdint>

namespace hornbeam {

// The targets of rows as integers.
struct RowTargets {
    const std::uint16_t* classes = nullptr;
    const std::int64_t* sums = nullptr;     // weight times value; several numbers of a row are adjacent
    const std::int64_t* weights = nullptr;  // null: one unit per row

    std::int64_t weight(std::uint32_t row) const { return weights ? weights[row] : 1; }
};

template <class S>
concept Statistic = requires(const S& s, const RowTargets& rows, std::uint32_t row, std::int64_t sign, std::int64_t* to,
                             const std::int64_t* cell, double* out) {
    { s.width() } -> std::same_as<int>;
    // Adds a row to a cell, or takes it away if the sign is -1.
    s.add(rows, row, to, sign);
    // The weight of the rows of a cell in units, and as the criterion counts it.
    { s.weight(cell) } -> std::same_as<std::int64_t>;
    { s.mass(cell) } -> std::same_as<double>;
    // Adds the statistics that a criterion reads; sums of numbers are taken about the mean of another cell.
    s.add_real(cell, cell, out);
    // Whether the statistics are the weights of classes; if not, the first is the weight.
    { S::is_class } -> std::convertible_to<bool>;
};

// Statistics of rows of one unit that are counts: a row adds 1 to one entry of its cell.
template <class S>
concept Counts = Statistic<S> && requires(const S& s, const RowTargets& rows, std::uint32_t row) {
    { s.entry(rows, row) } -> std::convertible_to<std::size_t>;
};

}  // namespace hornbeam
