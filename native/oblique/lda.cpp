// Linear discriminant analysis; the reference implementation is parts/searches/lda_plane.py.
#include <cmath>

#include "core/stop.hpp"
#include "oblique/fits.hpp"

namespace hornbeam {
namespace {

// The distance of two means in units of the spread of a column; that of equal means is 0, whatever rounding makes of
// it.
double distance(double mean, double other) { return std::abs(mean - other) <= 1e-12 ? 0.0 : mean - other; }

// v = L^-T u for the leading eigenvector u of L^-1 S_b L^-T, where L is the Cholesky factor of the within-group
// scatter.
Vector leading(Vector lower, const Vector& between, int d) {
    if (!cholesky(lower, d)) return {};
    const auto forward = [&](Vector m) {  // L^-1 M, by columns
        for (int c = 0; c < d; ++c)
            for (int i = 0; i < d; ++i) {
                check_stop(i);
                for (int k = 0; k < i; ++k) m[i * d + c] -= lower[i * d + k] * m[k * d + c];
                m[i * d + c] /= lower[i * d + i];
            }
        return m;
    };
    const auto transposed = [&](const Vector& m) {
        Vector out(m.size());
        for (int i = 0; i < d; ++i)
            for (int j = 0; j < d; ++j) out[j * d + i] = m[i * d + j];
        return out;
    };
    Vector values, vectors;
    eigen_symmetric(forward(transposed(forward(between))), d, values, vectors);
    Vector v(vectors.begin(), vectors.begin() + d);
    solve_transposed(lower, v, d);
    return v;
}

}  // namespace

Vector fit_lda(const Points& points, const std::vector<int>& group, int n_groups, double gamma) {
    const int d = points.d;
    Vector group_weight(n_groups, 0.0), means(static_cast<std::size_t>(n_groups) * d, 0.0);
    double total = 0;
    for (std::int64_t i = 0; i < points.n; ++i) {
        const double* row = points.row(i);
        group_weight[group[i]] += points.weights[i];
        for (int j = 0; j < d; ++j) means[group[i] * d + j] += points.weights[i] * row[j];
    }
    for (int g = 0; g < n_groups; ++g) {
        total += group_weight[g];
        for (int j = 0; j < d; ++j) means[g * d + j] /= group_weight[g];
    }
    Vector within;
    scatter(points, [&](std::int64_t i) { return means.data() + group[i] * d; }, within);
    double trace = 0;
    for (double& s : within) s /= total;
    for (int j = 0; j < d; ++j) trace += within[j * d + j];
    const double ridge = gamma * trace / d;
    // Groups of single points have no scatter; any positive ridge gives the same direction.
    for (int j = 0; j < d; ++j) within[j * d + j] += ridge > 0 ? ridge : 1.0;
    if (n_groups == 2) {
        Vector difference(d);
        for (int j = 0; j < d; ++j) difference[j] = distance(means[d + j], means[j]);
        return solve_positive(within, difference, d) ? difference : Vector{};
    }
    Vector center(d, 0.0), between(static_cast<std::size_t>(d) * d, 0.0);
    for (int g = 0; g < n_groups; ++g)
        for (int j = 0; j < d; ++j) center[j] += group_weight[g] / total * means[g * d + j];
    for (int g = 0; g < n_groups; ++g) {
        for (int j = 0; j < d; ++j) means[g * d + j] = distance(means[g * d + j], center[j]);
        for (int i = 0; check_stop(d), i < d; ++i)
            for (int j = 0; j < d; ++j)
                between[i * d + j] += group_weight[g] / total * means[g * d + i] * means[g * d + j];
    }
    return leading(within, between, d);
}

}  // namespace hornbeam
