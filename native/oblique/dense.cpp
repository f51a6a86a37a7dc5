#include "oblique/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "searches/cut.hpp"

namespace hornbeam {
namespace {

// The upper half of the sum, from the column of four that holds the diagonal on. Four rows at once, so that the sums
// are loaded and stored a quarter as often; the stride is a multiple of four.
HORNBEAM_CLONES void add_gram(const double* const* rows, const double* w, int width, int stride, double* out) {
    for (int j = 0; j < width; ++j) {
        const double a = w[0] * rows[0][j], b = w[1] * rows[1][j], c = w[2] * rows[2][j], e = w[3] * rows[3][j];
        double* to = out + j * stride;
        for (int k = j & ~3; k < stride; ++k)
            to[k] += (a * rows[0][k] + b * rows[1][k]) + (c * rows[2][k] + e * rows[3][k]);
    }
}

}  // namespace

double lanes_dot(const double* row, const double* vector, int stride) {
    double lane[4] = {0, 0, 0, 0};
    for (int k = 0; k < stride; k += 4)
        for (int l = 0; l < 4; ++l) lane[l] += row[k + l] * vector[k + l];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

void weighted_gram(const Rows& x, const double* w, Vector& out) {
    const Vector nothing(x.stride, 0.0);
    Vector padded(static_cast<std::size_t>(x.width) * x.stride, 0.0);
    for (std::int64_t i = 0; i < x.n; i += 4) {
        const double* rows[4];
        double weights[4];
        for (int r = 0; r < 4; ++r) {
            const bool is_row = i + r < x.n;
            rows[r] = is_row ? x.row(i + r) : nothing.data();
            weights[r] = is_row ? w[i + r] : 0.0;
        }
        add_gram(rows, weights, x.width, x.stride, padded.data());
    }
    out.assign(static_cast<std::size_t>(x.width) * x.width, 0.0);
    for (int j = 0; j < x.width; ++j)
        for (int k = j; k < x.width; ++k) out[j * x.width + k] = out[k * x.width + j] = padded[j * x.stride + k];
}

bool cholesky(Vector& a, int d) {
    for (int j = 0; j < d; ++j) {
        double pivot = a[j * d + j];
        for (int k = 0; k < j; ++k) pivot -= a[j * d + k] * a[j * d + k];
        if (!(pivot > 0) || !std::isfinite(pivot)) return false;
        const double root = a[j * d + j] = std::sqrt(pivot);
        for (int i = j + 1; i < d; ++i) {
            double sum = a[i * d + j];
            for (int k = 0; k < j; ++k) sum -= a[i * d + k] * a[j * d + k];
            a[i * d + j] = sum / root;
        }
    }
    return true;
}

bool solve_positive(Vector a, Vector& b, int d) {
    if (!cholesky(a, d)) return false;
    for (int i = 0; i < d; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= a[i * d + k] * b[k];
        b[i] /= a[i * d + i];
    }
    for (int i = d; i-- > 0;) {
        for (int k = i + 1; k < d; ++k) b[i] -= a[k * d + i] * b[k];
        b[i] /= a[i * d + i];
    }
    return true;
}

void eigen_symmetric(Vector a, int d, Vector& values, Vector& vectors) {
    constexpr int MOST_SWEEPS = 60;
    Vector v(static_cast<std::size_t>(d) * d, 0.0);  // one eigenvector a row
    for (int j = 0; j < d; ++j) v[j * d + j] = 1.0;
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
        double off = 0, all = 0;
        for (int i = 0; i < d; ++i)
            for (int j = 0; j < d; ++j) (i == j ? all : off) += a[i * d + j] * a[i * d + j];
        if (off <= 1e-30 * (all + off)) break;
        for (int p = 0; p < d; ++p)
            for (int q = p + 1; q < d; ++q) {
                if (a[p * d + q] == 0.0) continue;
                const double turn = (a[q * d + q] - a[p * d + p]) / (2 * a[p * d + q]);
                const double t = (turn >= 0 ? 1.0 : -1.0) / (std::abs(turn) + std::sqrt(turn * turn + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < d; ++k) {
                    const double x = a[k * d + p], y = a[k * d + q];
                    a[k * d + p] = c * x - s * y;
                    a[k * d + q] = s * x + c * y;
                }
                for (int k = 0; k < d; ++k) {
                    const double x = a[p * d + k], y = a[q * d + k];
                    a[p * d + k] = c * x - s * y;
                    a[q * d + k] = s * x + c * y;
                }
                for (int k = 0; k < d; ++k) {
                    const double x = v[p * d + k], y = v[q * d + k];
                    v[p * d + k] = c * x - s * y;
                    v[q * d + k] = s * x + c * y;
                }
            }
    }
    std::vector<int> order(d);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return a[i * d + i] > a[j * d + j]; });
    values.resize(d);
    vectors.resize(static_cast<std::size_t>(d) * d);
    for (int i = 0; i < d; ++i) {
        values[i] = a[order[i] * d + order[i]];
        std::copy_n(v.data() + order[i] * d, d, vectors.data() + i * d);
    }
}

}  // namespace hornbeam
