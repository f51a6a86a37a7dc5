// Small dense row-major matrices for the fits of directions; every sum has a fixed order.
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam {

using Vector = std::vector<double>;

// A view of rows of doubles with a stride that is a multiple of eight; it contains every `step`-th row.
struct DenseRows {
    const double* data = nullptr;
    std::int64_t n = 0;
    int width = 0, stride = 0;
    std::int64_t step = 1;
    const double* row(std::int64_t i) const { return data + i * step * stride; }
    // One of `n` of all rows, where this view contains them all.
    DenseRows every(std::int64_t steps) const { return {data, (n + steps - 1) / steps, width, stride, steps}; }
};

// Sum over the rows of w x x', a width by width matrix. `w` has one weight per row of the view.
void weighted_gram(const DenseRows& x, const double* w, Vector& out);

// Solves A v = b for a positive definite A (d by d); false if A is not positive definite. `b` becomes the solution.
bool solve_positive(Vector a, Vector& b, int d);

// A = L L'; false if A is not positive definite. L is written into the lower half of `a`.
bool cholesky(Vector& a, int d);
// Solves L' v = b; `b` becomes the solution.
void solve_transposed(const Vector& lower, Vector& b, int d);

// Eigenvalues (largest first) and eigenvectors (one per row) of a symmetric matrix, by Jacobi rotations. Of equal
// eigenvalues, any basis of their space would do: it is made of the coordinate axes.
void eigen_symmetric(Vector a, int d, Vector& values, Vector& vectors);

}  // namespace hornbeam
