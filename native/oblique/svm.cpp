// The twin of parts/searches/svm_plane.py.
#include <algorithm>
#include <cmath>

#include "core/stop.hpp"
#include "oblique/fits.hpp"
#include "oblique/smooth.hpp"

namespace hornbeam {
namespace {

class SquaredHinge final : public Landscape {
  public:
    SquaredHinge(const DenseRows& x, const double* signs, const double* weights, double cost)
        : x_(x), signs_(x.n), weights_(x.n) {
        // Every sixteenth row, counted sixteen times, stands for all.
        for (std::int64_t i = 0; i < x.n; ++i) {
            signs_[i] = signs[i * x.step];
            weights_[i] = 2 * cost * static_cast<double>(x.step) * weights[i * x.step];
        }
    }
    double steepest() const {
        Vector slope(x_.stride, 0.0);
        for (std::int64_t i = 0; i < x_.n; ++i)
            for (int j = 0; j < x_.width; ++j) slope[j] += weights_[i] * signs_[i] * x_.row(i)[j];
        double most = 1.0;
        for (const double s : slope) most = std::max(most, std::abs(s));
        return most;
    }
    double height(const Vector& theta, Vector& slope) override {
        constexpr int CHUNK = 64;
        const double* rows[CHUNK];
        double value[CHUNK], pull[CHUNK];
        slope = theta;
        bend.resize(x_.n);
        double sum = 0;
        for (std::int64_t from = 0; from < x_.n; from += CHUNK) {
            const int n = static_cast<int>(std::min<std::int64_t>(CHUNK, x_.n - from));
            check_stop(static_cast<std::int64_t>(n) * x_.stride);
            for (int i = 0; i < n; ++i) rows[i] = x_.row(from + i);
            rows_times(rows, n, theta.data(), x_.stride, value);
            for (int i = 0; i < n; ++i) {
                const double weight = weights_[from + i], sign = signs_[from + i];
                const double lacks = std::max(0.0, 1.0 - sign * value[i]);
                bend[from + i] = lacks > 0 ? weight : 0.0;
                sum += weight * lacks * lacks;
                pull[i] = weight * sign * lacks;
            }
            subtract_pulls(rows, n, pull, x_.stride, slope.data());
        }
        double squares = 0;
        for (const double t : theta) squares += t * t;
        return 0.5 * (squares + sum);
    }
    void curve(Vector& out) override {
        weighted_gram(x_, bend.data(), out);
        for (int j = 0; j < x_.width; ++j) out[j * x_.width + j] += 1.0;
    }

  private:
    DenseRows x_;
    Vector signs_, weights_;
};

void run_svm(DenseRows x, std::int64_t step, double flat, const Vector& signs, const Vector& weights, double cost,
             Vector& theta) {
    const bool is_first = std::all_of(theta.begin(), theta.end(), [](double t) { return t == 0; });
    x.step = step;
    x.n = (x.n + step - 1) / step;
    SquaredHinge land(x, signs.data(), weights.data(), cost);
    descend(land, theta, x.width, flat * land.steepest(), is_first && x.n >= STRETCHED_ROWS);
}

}  // namespace

Vector fit_svm(const Points& points, const Vector& signs, double cost) {
    Vector theta(points.stride, 0.0);
    if (points.n >= MANY_ROWS) run_svm(points.rows_with_one(), STRIDE, ROUGH, signs, points.weights, cost, theta);
    run_svm(points.rows_with_one(), 1, 1e-8, signs, points.weights, cost, theta);
    theta.resize(points.d + 1);
    return theta;
}

}  // namespace hornbeam
