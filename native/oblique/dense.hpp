// Small dense matrices, by rows: what the fits of directions need, in a fixed order of sums.
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam {

using Vector = std::vector<double>;

// Rows of numbers, `stride` apart (a multiple of eight); only every `step`-th row counts.
struct DenseRows {
    const double* data = nullptr;
    std::int64_t n = 0;
    int width = 0, stride = 0;
    std::int64_t step = 1;
    const double* row(std::int64_t i) const { return data + i * step * stride; }
};

// Sum over rows of w x x', width by width. `w` is one number a counted row.
void weighted_gram(const DenseRows& x, const double* w, Vector& out);

// Solves A v = b for a positive definite A (d by d); false if it is not. `b` becomes the solution.
bool solve_positive(Vector a, Vector& b, int d);

// A = L L'; false if A is not positive definite. L is written into the lower half of `a`.
bool cholesky(Vector& a, int d);

// Eigenvalues (largest first) and eigenvectors (one a row) of a symmetric matrix, by Jacobi's rotations.
void eigen_symmetric(Vector a, int d, Vector& values, Vector& vectors);

}  // namespace hornbeam
