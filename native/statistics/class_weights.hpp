// ClassWeights: the weight of the rows of every class.
#pragma once

#include <numeric>
#include <vector>

#include "statistics/statistic.hpp"

namespace hornbeam {

struct ClassWeights {
    static constexpr bool is_class = true;
    std::vector<double> factor;  // of every class: its scale times the unit of weights

    int width() const { return static_cast<int>(factor.size()); }
    std::size_t entry(const RowTargets& rows, std::uint32_t row) const { return rows.classes[row]; }
    void add(const RowTargets& rows, std::uint32_t row, std::int64_t* cell, std::int64_t sign = 1) const {
        cell[rows.classes[row]] += sign * rows.weight(row);
    }
    std::int64_t weight(const std::int64_t* cell) const {
        return std::accumulate(cell, cell + width(), std::int64_t{0});
    }
    double mass(const std::int64_t* cell) const {
        double sum = 0;
        for (int k = 0; k < width(); ++k) sum += static_cast<double>(cell[k]) * factor[k];
        return sum;
    }
    void add_real(const std::int64_t* cell, const std::int64_t*, double* out) const {
        for (int k = 0; k < width(); ++k) out[k] += static_cast<double>(cell[k]) * factor[k];
    }
};

}  // namespace hornbeam
