// Logistic regression of signs; the reference implementation is parts/searches/logistic_plane.py.
#include <algorithm>

#include "core/stop.hpp"
#include "oblique/fits.hpp"
#include "oblique/smooth.hpp"

namespace hornbeam {
namespace {

class Logistic final : public Objective {
  public:
    Logistic(const DenseRows& x, const double* signs, const double* weights, double ridge)
        : x_(x), ridge_(ridge), signs_(x.n), weight_(x.n) {
        double total = 0;
        for (std::int64_t i = 0; i < x.n; ++i) {
            signs_[i] = signs[i * x.step];
            total += weight_[i] = weights[i * x.step];
        }
        is_empty_ = !(total > 0);
        for (double& weight : weight_) weight /= total;
    }
    bool is_empty() const { return is_empty_; }

    double value(const Vector& theta, Vector& gradient) override {
        constexpr int CHUNK = 64;
        const double* rows[CHUNK];
        double margin[CHUNK], doubt[CHUNK], loss[CHUNK], pull[CHUNK];
        std::fill(gradient.begin(), gradient.end(), 0.0);
        row_curvature.resize(x_.n);
        double sum = 0;
        for (std::int64_t from = 0; from < x_.n; from += CHUNK) {
            const int n = static_cast<int>(std::min<std::int64_t>(CHUNK, x_.n - from));
            check_stop(static_cast<std::int64_t>(n) * x_.stride);
            for (int i = 0; i < n; ++i) rows[i] = x_.row(from + i);
            rows_times(rows, n, theta.data(), x_.stride, margin);
            for (int i = 0; i < n; ++i) margin[i] *= signs_[from + i];
            doubts_and_losses(margin, n, doubt, loss);
            for (int i = 0; i < n; ++i) {
                const double weight = weight_[from + i];
                sum += weight * loss[i];
                row_curvature[from + i] = weight * doubt[i] * (1.0 - doubt[i]);
                pull[i] = weight * signs_[from + i] * doubt[i];
            }
            subtract_pulls(rows, n, pull, x_.stride, gradient.data());
        }
        double squares = 0;
        for (int j = 0; j + 1 < x_.width; ++j) {
            gradient[j] += ridge_ * theta[j];
            squares += theta[j] * theta[j];
        }
        return sum + 0.5 * ridge_ * squares;
    }
    void hessian(Vector& out) override {
        weighted_gram(x_, row_curvature.data(), out);
        // If all rows have probabilities near 0 or 1, the Hessian entry of the bias vanishes.
        for (int j = 0; j < x_.width; ++j) out[j * x_.width + j] += (j + 1 < x_.width ? ridge_ : 0.0) + 1e-12;
    }

  private:
    DenseRows x_;
    double ridge_;
    Vector signs_, weight_;
    bool is_empty_ = false;
};

void run_logistic(const DenseRows& x, double tolerance, const Vector& signs, const Vector& weights, double ridge,
                  Vector& theta) {
    const bool is_first = std::all_of(theta.begin(), theta.end(), [](double t) { return t == 0; });
    Logistic objective(x, signs.data(), weights.data(), ridge);
    if (!objective.is_empty()) minimize(objective, theta, x.width, tolerance, is_first && x.n >= STRETCHED_ROWS);
}

}  // namespace

Vector fit_logistic(const Points& points, const Vector& signs, const Vector& weights, double ridge) {
    Vector theta(points.stride, 0.0);
    if (points.n >= MANY_ROWS) run_logistic(points.rows_with_one().every(STRIDE), ROUGH, signs, weights, ridge, theta);
    run_logistic(points.rows_with_one(), 1e-8, signs, weights, ridge, theta);
    theta.resize(points.d + 1);
    return theta;
}

}  // namespace hornbeam
