// The sums of a whole node: how a number is added, and what they mean for the node.
#pragma once

#include <cmath>

#include "core/portable.hpp"
#include "pieces/long_sum.hpp"

namespace hornbeam {

// x as a whole part and a fraction in 2^-bits.
inline void add_long(double x, int bits, std::int64_t* to) {
    const double whole = std::floor(x);
    to[0] += static_cast<std::int64_t>(whole);
    to[1] += static_cast<std::int64_t>(std::ldexp(x - whole, bits));
}

// Adds a number to the cell of a node; `weight` and `sum` are in units.
inline void add_number(const CellShape& shape, const TargetUnits& units, double number, std::int64_t weight,
                       std::int64_t sum, std::int64_t* cell) {
    cell[0] += weight;
    cell[1] += sum;
    std::int64_t* longs = cell + shape.width();
    if (shape.is_weighted) {
        ++cell[2];
        const double off = number - units.origin, product = static_cast<double>(weight) * off;
        add_long(product / units.unit, units.limb_bits, longs);
        add_long(product * off / units.square_unit, units.limb_bits, longs + 2);
        return;
    }
    const Wide square = static_cast<Wide>(sum) * sum;
    const auto high = static_cast<std::int64_t>(square >> units.limb_bits);
    longs[0] += high;
    longs[1] += static_cast<std::int64_t>(square - (static_cast<Wide>(high) << units.limb_bits));
}

// Sets the totals of a node from its place in the sums of whole nodes.
inline void read_total(const Target& target, const TargetUnits& units, const PieceSums& sums, std::size_t place,
                       const CellShape& shape, Totals& totals) {
    const std::int64_t* cell = sums.totals.data() + place * total_width(shape);
    totals.rows = shape.rows_in(cell);
    totals.weight = 0;
    if (shape.n_classes > 0) {
        totals.cell.assign(cell, cell + shape.n_classes);
        for (const std::int64_t count : totals.cell) totals.weight += count;
        return;
    }
    totals.weight = cell[0];
    totals.cell = {cell[0], cell[1]};
    set_spread(target, units, shape.is_weighted, {cell + shape.width(), sums.low[place], sums.high[place]}, totals);
}

}  // namespace hornbeam
