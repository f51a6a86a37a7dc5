// SeveralSums: the weight of the rows and the sum of each of several numbers that a row has.
#pragma once

#include <vector>

#include "core/center.hpp"
#include "statistics/statistic.hpp"

namespace hornbeam {

struct SeveralSums {
    static constexpr bool is_class = false;
    double weight_unit = 1.0;
    std::vector<double> sum_unit;  // of every number

    int width() const { return 1 + static_cast<int>(sum_unit.size()); }
    void add(const RowTargets& rows, std::uint32_t row, std::int64_t* cell, std::int64_t sign = 1) const {
        const std::size_t n = sum_unit.size();
        cell[0] += sign * rows.weight(row);
        for (std::size_t t = 0; t < n; ++t) cell[1 + t] += sign * rows.sums[row * n + t];
    }
    std::int64_t weight(const std::int64_t* cell) const { return cell[0]; }
    double mass(const std::int64_t* cell) const { return static_cast<double>(cell[0]) * weight_unit; }
    void add_real(const std::int64_t* cell, const std::int64_t* node, double* out) const {
        out[0] += static_cast<double>(cell[0]) * weight_unit;
        for (std::size_t t = 0; t < sum_unit.size(); ++t)
            out[1 + t] += Center{node[0], node[1 + t]}.of(cell[0], cell[1 + t]) * sum_unit[t];
    }
};

}  // namespace hornbeam
