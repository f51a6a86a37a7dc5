// The mean and the spread of the numbers of a node from long sums: the same digits as from the rows themselves.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/long_real.hpp"
#include "core/portable.hpp"
#include "nodes/node.hpp"
#include "pieces/request.hpp"

namespace hornbeam {

struct NumberTotals {
    const std::int64_t* longs;
    double low, high;
};

// `totals` has rows, weight and sum.
inline void set_spread(const Target& target, const TargetUnits& units, bool is_weighted, const NumberTotals& numbers,
                       Totals& totals) {
    if (totals.rows == 0) return;
    const std::int64_t n = totals.rows;
    if (!is_weighted) {
        const std::int64_t centre = totals.sum() / n;
        Wide squares = (static_cast<Wide>(numbers.longs[0]) << units.limb_bits) + numbers.longs[1];
        squares += static_cast<Wide>(centre) * centre * n - static_cast<Wide>(centre) * totals.sum() * 2;
        const auto rest = static_cast<double>(totals.sum() - centre * n);
        totals.spread = (static_cast<double>(squares) - rest * rest / static_cast<double>(n)) * target.unit *
                        target.unit * target.weight_unit;
        totals.mean = target.origin + static_cast<double>(totals.sum()) / static_cast<double>(n) * target.unit;
    } else {
        const auto weight = static_cast<double>(totals.weight);
        const LongReal sum = LongReal::of(numbers.longs, units.limb_bits).times(units.unit);
        const LongReal squares = LongReal::of(numbers.longs + 2, units.limb_bits).times(units.square_unit);
        totals.spread = squares_about_mean(weight, sum, squares) * target.weight_unit;
        totals.mean = target.origin + sum.high / weight;
    }
    totals.is_one_number = numbers.low == numbers.high;
    totals.spread = totals.is_one_number ? 0.0 : std::max(totals.spread, 0.0);
    if (totals.is_one_number) totals.mean = numbers.low;
}

}  // namespace hornbeam
