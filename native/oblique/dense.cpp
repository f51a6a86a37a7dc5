// Dense linear algebra (dense.hpp).
#include "oblique/dense.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/portable.hpp"
#include "core/stop.hpp"

namespace hornbeam {
namespace {

constexpr int CHUNK = 64;  // rows that stay in the L1 cache while every tile of the sum is added

using Four = LanesOf<double, 4>;

HORNBEAM_CLONES void scale_rows(const double* __restrict rows, const double* __restrict w, int n, int stride,
                                std::int64_t spacing, double* __restrict out) {
    for (int i = 0; i < n; ++i, rows += spacing, out += stride)
        for (int j = 0; j < stride; ++j) out[j] = w[i] * rows[j];
}

// Adds one tile (four by eight) of the sum over a chunk of rows, in registers. `scaled` are the rows times their
// weights.
HORNBEAM_CLONES void add_tile(const double* scaled, const double* rows, int n, int stride, std::int64_t spacing,
                              double* out) {
    Four sum[4][2] = {};
    for (int i = 0; i < n; ++i, scaled += stride, rows += spacing) {
        Four low, high;
        std::memcpy(&low, rows, sizeof low);
        std::memcpy(&high, rows + 4, sizeof high);
        for (int j = 0; j < 4; ++j) {
            sum[j][0] += scaled[j] * low;
            sum[j][1] += scaled[j] * high;
        }
    }
    for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 8; ++k) out[j * stride + k] += sum[j][k / 4][k % 4];
}

}  // namespace

void weighted_gram(const DenseRows& x, const double* w, Vector& out) {
    const int stride = x.stride, width = x.width;
    Vector sums(static_cast<std::size_t>(stride) * stride, 0.0), scaled(static_cast<std::size_t>(CHUNK) * stride);
    const std::int64_t spacing = x.step * stride;
    for (std::int64_t from = 0; from < x.n; from += CHUNK) {
        check_stop(static_cast<std::int64_t>(CHUNK) * width * width / 8);
        const int n = static_cast<int>(std::min<std::int64_t>(CHUNK, x.n - from));
        scale_rows(x.row(from), w + from, n, stride, spacing, scaled.data());
        for (int j = 0; j < width; j += 4)
            for (int k = j & ~7; k < width; k += 8)
                add_tile(scaled.data() + j, x.row(from) + k, n, stride, spacing, sums.data() + j * stride + k);
    }
    out.assign(static_cast<std::size_t>(width) * width, 0.0);
    for (int j = 0; j < width; ++j)
        for (int k = j; k < width; ++k) out[j * width + k] = out[k * width + j] = sums[j * stride + k];
}

bool cholesky(Vector& a, int d) {
    for (int j = 0; j < d; ++j) {
        double pivot = a[j * d + j];
        for (int k = 0; k < j; ++k) pivot -= a[j * d + k] * a[j * d + k];
        if (!(pivot > 0) || !std::isfinite(pivot)) return false;
        const double root = a[j * d + j] = std::sqrt(pivot);
        for (int i = j + 1; i < d; ++i) {
            check_stop(j);
            double sum = a[i * d + j];
            for (int k = 0; k < j; ++k) sum -= a[i * d + k] * a[j * d + k];
            a[i * d + j] = sum / root;
        }
    }
    return true;
}

void solve_transposed(const Vector& lower, Vector& b, int d) {
    for (int i = d; i-- > 0;) {
        for (int k = i + 1; k < d; ++k) b[i] -= lower[k * d + i] * b[k];
        b[i] /= lower[i * d + i];
    }
}

bool solve_positive(Vector a, Vector& b, int d) {
    if (!cholesky(a, d)) return false;
    for (int i = 0; i < d; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= a[i * d + k] * b[k];
        b[i] /= a[i * d + i];
    }
    solve_transposed(a, b, d);
    return true;
}

namespace {

// The basis of the space of equal eigenvalues, from vectors of length 1, one per row (eigenvectors.py).
void settle_basis(double* span, int k, int d) {
    Vector found;
    for (int axis = 0; axis < d && static_cast<int>(found.size()) < k * d; ++axis) {
        check_stop(static_cast<std::int64_t>(2) * k * d);
        Vector rest(d, 0.0);
        for (int v = 0; v < k; ++v)
            for (int j = 0; j < d; ++j) rest[j] += span[v * d + axis] * span[v * d + j];
        const auto dot = [&](const double* other) { return std::inner_product(rest.begin(), rest.end(), other, 0.0); };
        for (std::size_t v = 0; v < found.size(); v += d) {
            const double along = dot(found.data() + v);
            for (int j = 0; j < d; ++j) rest[j] -= along * found[v + j];
        }
        const double length = std::sqrt(dot(rest.data()));
        if (length < 0.5 / std::sqrt(d)) continue;
        for (const double each : rest) found.push_back(each / length);
    }
    std::copy(found.begin(), found.end(), span);
}

}  // namespace

void eigen_symmetric(Vector a, int d, Vector& values, Vector& vectors) {
    constexpr int MAX_SWEEPS = 60;
    Vector v(static_cast<std::size_t>(d) * d, 0.0);  // one eigenvector per row
    for (int j = 0; j < d; ++j) v[j * d + j] = 1.0;
    for (int sweep = 0; sweep < MAX_SWEEPS; ++sweep) {
        double off = 0, all = 0;
        for (int i = 0; i < d; ++i)
            for (int j = 0; j < d; ++j) (i == j ? all : off) += a[i * d + j] * a[i * d + j];
        if (off <= 1e-30 * (all + off)) break;
        for (int p = 0; p < d; ++p)
            for (int q = p + 1; q < d; ++q) {
                check_stop(3 * d);
                if (a[p * d + q] == 0.0) continue;
                const double theta = (a[q * d + q] - a[p * d + p]) / (2 * a[p * d + q]);
                const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                const auto rotate = [c, s](double& one, double& other) {
                    const double x = one, y = other;
                    one = c * x - s * y;
                    other = s * x + c * y;
                };
                for (int k = 0; k < d; ++k) rotate(a[k * d + p], a[k * d + q]);
                for (int k = 0; k < d; ++k) rotate(a[p * d + k], a[q * d + k]);
                for (int k = 0; k < d; ++k) rotate(v[p * d + k], v[q * d + k]);
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
    constexpr double EQUAL = 1e-6;  // of the largest eigenvalue
    for (int begin = 0, end = 1; end <= d; ++end) {
        if (end < d && values[end - 1] - values[end] <= EQUAL * values[0]) continue;
        if (end - begin > 1) settle_basis(vectors.data() + begin * d, end - begin, d);
        begin = end;
    }
}

}  // namespace hornbeam
