// Linear support vector machine with squared hinge loss; the reference implementation is parts/searches/svm_plane.py.
#include <algorithm>
#include <cmath>

#include "core/stop.hpp"
#include "oblique/fits.hpp"
#include "oblique/smooth.hpp"

namespace hornbeam {
namespace {

class SquaredHinge final : public Objective {
  public:
    SquaredHinge(const DenseRows& x, const double* signs, const double* weights, double cost)
        : x_(x), signs_(x.n), weights_(x.n) {
        // If only every sixteenth row is used, each has sixteen times its weight.
        for (std::int64_t i = 0; i < x.n; ++i) {
            signs_[i] = signs[i * x.step];
            weights_[i] = 2 * cost * static_cast<double>(x.step) * weights[i * x.step];
        }
    }
    double largest_gradient() const {
        Vector gradient(x_.stride, 0.0);
        for (std::int64_t i = 0; i < x_.n; ++i)
            for (int j = 0; j < x_.width; ++j) gradient[j] += weights_[i] * signs_[i] * x_.row(i)[j];
        double largest = 1.0;
        for (const double s : gradient) largest = std::max(largest, std::abs(s));
        return largest;
    }
    double value(const Vector& theta, Vector& gradient) override {
        constexpr int CHUNK = 64;
        const double* rows[CHUNK];
        double margin[CHUNK], pull[CHUNK];
        gradient = theta;
        row_curvature.resize(x_.n);
        double sum = 0;
        for (std::int64_t from = 0; from < x_.n; from += CHUNK) {
            const int n = static_cast<int>(std::min<std::int64_t>(CHUNK, x_.n - from));
            check_stop(static_cast<std::int64_t>(n) * x_.stride);
            for (int i = 0; i < n; ++i) rows[i] = x_.row(from + i);
            rows_times(rows, n, theta.data(), x_.stride, margin);
            for (int i = 0; i < n; ++i) {
                const double weight = weights_[from + i], sign = signs_[from + i];
                const double shortfall = std::max(0.0, 1.0 - sign * margin[i]);
                row_curvature[from + i] = shortfall > 0 ? weight : 0.0;
                sum += weight * shortfall * shortfall;
                pull[i] = weight * sign * shortfall;
            }
            subtract_pulls(rows, n, pull, x_.stride, gradient.data());
        }
        double squares = 0;
        for (const double t : theta) squares += t * t;
        return 0.5 * (squares + sum);
    }
    void hessian(Vector& out) override {
        weighted_gram(x_, row_curvature.data(), out);
        for (int j = 0; j < x_.width; ++j) out[j * x_.width + j] += 1.0;
    }

  private:
    DenseRows x_;
    Vector signs_, weights_;
};

void run_svm(const DenseRows& x, double tolerance, const Vector& signs, const Vector& weights, double cost,
             Vector& theta) {
    const bool is_first = std::all_of(theta.begin(), theta.end(), [](double t) { return t == 0; });
    SquaredHinge objective(x, signs.data(), weights.data(), cost);
    minimize(objective, theta, x.width, tolerance * objective.largest_gradient(), is_first && x.n >= STRETCHED_ROWS);
}

}  // namespace

Vector fit_svm(const Points& points, const Vector& signs, double cost) {
    Vector theta(points.stride, 0.0);
    if (points.n >= MANY_ROWS) run_svm(points.rows_with_one().every(STRIDE), ROUGH, signs, points.weights, cost, theta);
    run_svm(points.rows_with_one(), 1e-8, signs, points.weights, cost, theta);
    theta.resize(points.d + 1);
    return theta;
}

}  // namespace hornbeam
