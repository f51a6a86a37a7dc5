// The sums of a whole node: how a number is added, and what they mean for the node.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/long_real.hpp"
#include "core/portable.hpp"
#include "nodes/node.hpp"
#include "pieces/request.hpp"

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

// Sets the totals of a node from its place in the sums of whole nodes: of numbers the same digits as from the rows.
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
    if (totals.rows == 0) return;
    const std::int64_t n = totals.rows, *longs = cell + shape.width();
    if (!shape.is_weighted) {
        const std::int64_t centre = totals.sum() / n;
        Wide squares = (static_cast<Wide>(longs[0]) << units.limb_bits) + longs[1];
        squares += static_cast<Wide>(centre) * centre * n - static_cast<Wide>(centre) * totals.sum() * 2;
        const auto rest = static_cast<double>(totals.sum() - centre * n);
        totals.spread = (static_cast<double>(squares) - rest * rest / static_cast<double>(n)) * target.unit *
                        target.unit * target.weight_unit;
        totals.mean = target.origin + static_cast<double>(totals.sum()) / static_cast<double>(n) * target.unit;
    } else {
        const auto weight = static_cast<double>(totals.weight);
        const LongReal sum = LongReal::of(longs, units.limb_bits).times(units.unit);
        const LongReal squares = LongReal::of(longs + 2, units.limb_bits).times(units.square_unit);
        totals.spread = squares_about_mean(weight, sum, squares) * target.weight_unit;
        totals.mean = target.origin + sum.high / weight;
    }
    totals.is_one_number = sums.low[place] == sums.high[place];
    totals.spread = totals.is_one_number ? 0.0 : std::max(totals.spread, 0.0);
    if (totals.is_one_number) totals.mean = sums.low[place];
}

}  // namespace hornbeam
