// How do the rows of a node look as points?  The twin of parts/searches/points.py: numeric columns in units of their
// own spread about their own mean, missing values at the mean, sums in the order of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/data.hpp"
#include "oblique/dense.hpp"

namespace hornbeam {

// The numeric columns of a table row by row: the cells of a row lie side by side.
struct RowTable {
    int width = 0;
    std::vector<std::int32_t> place;  // of every column of the table; -1: it is not numeric
    Vector cells;
    const double* row(std::uint32_t r) const { return cells.data() + static_cast<std::size_t>(r) * width; }
    // Asks for a row that will be read soon: rows of a node lie far apart.
    void fetch(std::uint32_t r) const {
        for (int j = 0; j < width; j += 8) __builtin_prefetch(row(r) + j);
    }
};
RowTable row_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows);

struct Points {
    std::int64_t n = 0;
    int d = 0, stride = 0;              // a row of `x` has d numbers, a one, and zeros up to a multiple of eight
    std::vector<std::int32_t> columns;  // of the table
    std::vector<std::int32_t> kept;     // which of the first points' columns these are
    Vector mean, sd;
    Vector raw;      // by row, d numbers: the columns' own units, missing ones filled
    Vector x;        // by row, `stride` numbers
    Vector weights;  // as the criterion counts them

    DenseRows rows() const { return {x.data(), n, d, stride}; }
    DenseRows rows_with_one() const { return {x.data(), n, d + 1, stride}; }
    const double* raw_row(std::int64_t i) const { return raw.data() + i * d; }
};

// Some rows of the table in those of `columns` that are numeric and vary there. `out` has their weights already; its
// room is used again.
void fill_points(const RowTable& table, const std::vector<std::int32_t>& columns,
                 const std::vector<std::uint32_t>& rows, Points& out);

// The same points without one column.
Points without_column(const Points& points, int dropped);

// z = sum w_j x_j over the named columns, term by term: what a hyperplane computes.
void weighted_sum(const Points& points, const std::vector<int>& named, const Vector& w, Vector& z);

// The squared distance of every row to a centre, term by term: what a sphere computes.
void squared_distance(const Points& points, const Vector& centre, const Vector& scale, Vector& out);

// Length 1, largest component (the lowest index within 1e-9) positive, multiples of 2^-32; false for no direction.
bool make_canonical(Vector& direction);

// Mean and covariance of the points where `inside(i)`.
void covariance(const Points& points, const std::function<bool(std::int64_t)>& inside, Vector& mean, Vector& out);

}  // namespace hornbeam
