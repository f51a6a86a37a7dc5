// NumberSums: the weight of the rows and the sum of their numbers.
#pragma once

#include "core/center.hpp"
#include "statistics/statistic.hpp"

namespace hornbeam {

struct NumberSums {
    static constexpr bool is_class = false;
    double weight_unit = 1.0, sum_unit = 1.0;

    int width() const { return 2; }
    void add(const RowTargets& rows, std::uint32_t row, std::int64_t* cell, std::int64_t sign = 1) const {
        cell[0] += sign * rows.weight(row);
        cell[1] += sign * rows.sums[row];
    }
    std::int64_t weight(const std::int64_t* cell) const { return cell[0]; }
    double mass(const std::int64_t* cell) const { return static_cast<double>(cell[0]) * weight_unit; }
    void add_real(const std::int64_t* cell, const std::int64_t* node, double* out) const {
        out[0] += static_cast<double>(cell[0]) * weight_unit;
        out[1] += Center{node[0], node[1]}.of(cell[0], cell[1]) * sum_unit;
    }
};

}  // namespace hornbeam
