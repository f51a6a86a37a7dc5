// Points: the numeric columns of a node's rows, standardized at the node (mean 0, standard deviation 1), missing values
// replaced by the mean; sums are in row order. The reference implementation is parts/searches/machinery/points.py.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/data.hpp"
#include "core/portable.hpp"
#include "oblique/dense.hpp"

namespace hornbeam {

// The numeric columns of a table as a row-major matrix.
struct RowTable {
    int width = 0;
    std::vector<std::int32_t> position_of;  // position of each column of the table; -1: not numeric
    Vector cells;
    const double* row(std::uint32_t r) const { return cells.data() + static_cast<std::size_t>(r) * width; }
    // Prefetches a row that will be read soon: the rows of a node are far apart in memory.
    void fetch(std::uint32_t r) const {
        for (int j = 0; j < width; j += 8) prefetch(row(r) + j);
    }
};
RowTable row_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows);

struct Points {
    std::int64_t n = 0;
    int d = 0, stride = 0;               // a row of `x` has d values, a one, and zeros up to a multiple of eight
    std::vector<std::int32_t> columns;   // of the table
    std::vector<std::int32_t> original;  // their positions among the columns of the original points
    Vector mean, sd;
    Vector raw;      // row-major, d values per row: not standardized, missing values filled
    Vector x;        // row-major, `stride` values per row
    Vector weights;  // the weights of the criterion

    DenseRows rows_with_one() const { return {x.data(), n, d + 1, stride}; }
    const double* row(std::int64_t i) const { return x.data() + i * stride; }
    const double* raw_row(std::int64_t i) const { return raw.data() + i * d; }
};

// Fills `out` with the given rows of the table and those of `columns` that are numeric and not constant in these rows.
// `out.weights` must be set; the buffers of `out` are reused.
void fill_points(const RowTable& table, const std::vector<std::int32_t>& columns,
                 const std::vector<std::uint32_t>& rows, Points& out);

// The same points without one column.
Points without_column(const Points& points, int dropped);

// z = sum w_j x_j over the named columns, in the order of the terms: the value of a hyperplane.
void weighted_sum(const Points& points, const std::vector<int>& named, const Vector& w, Vector& z);

// The squared distance of each row to a center, in the order of the terms: the value of a sphere.
void squared_distance(const Points& points, const Vector& center, const Vector& scale, Vector& out);

// Scales a direction to length 1, makes its largest component (the lowest index within 1e-9) positive and rounds to
// multiples of 2^-32; false if it is zero or not finite.
bool make_canonical(Vector& direction);

// The weighted sum of the outer products of the points' distances from center(i); points without a center are left out.
void scatter(const Points& points, const std::function<const double*(std::int64_t)>& center, Vector& out);
// Mean and covariance of the points for which inside(i) is true.
void covariance(const Points& points, const std::function<bool(std::int64_t)>& inside, Vector& mean, Vector& out);

}  // namespace hornbeam
