// The twin of parts/searches/logistic_plane.py.
#include <algorithm>

#include "core/stop.hpp"
#include "oblique/fits.hpp"
#include "oblique/smooth.hpp"

namespace hornbeam {
namespace {

class Logistic final : public Landscape {
  public:
    Logistic(const DenseRows& x, const double* signs, const double* weights, double ridge)
        : x_(x), ridge_(ridge), signs_(x.n), share_(x.n) {
        double total = 0;
        for (std::int64_t i = 0; i < x.n; ++i) {
            signs_[i] = signs[i * x.step];
            total += share_[i] = weights[i * x.step];
        }
        is_empty_ = !(total > 0);
        for (double& share : share_) share /= total;
    }
    bool is_empty() const { return is_empty_; }

    double height(const Vector& theta, Vector& slope) override {
        constexpr int CHUNK = 64;
        const double* rows[CHUNK];
        double margin[CHUNK], doubt[CHUNK], loss[CHUNK], pull[CHUNK];
        std::fill(slope.begin(), slope.end(), 0.0);
        bend.resize(x_.n);
        double sum = 0;
        for (std::int64_t from = 0; from < x_.n; from += CHUNK) {
            const int n = static_cast<int>(std::min<std::int64_t>(CHUNK, x_.n - from));
            check_stop(static_cast<std::int64_t>(n) * x_.stride);
            for (int i = 0; i < n; ++i) rows[i] = x_.row(from + i);
            rows_times(rows, n, theta.data(), x_.stride, margin);
            for (int i = 0; i < n; ++i) margin[i] *= signs_[from + i];
            doubts_and_losses(margin, n, doubt, loss);
            for (int i = 0; i < n; ++i) {
                const double share = share_[from + i];
                sum += share * loss[i];
                bend[from + i] = share * doubt[i] * (1.0 - doubt[i]);
                pull[i] = share * signs_[from + i] * doubt[i];
            }
            subtract_pulls(rows, n, pull, x_.stride, slope.data());
        }
        double squares = 0;
        for (int j = 0; j + 1 < x_.width; ++j) {
            slope[j] += ridge_ * theta[j];
            squares += theta[j] * theta[j];
        }
        return sum + 0.5 * ridge_ * squares;
    }
    void curve(Vector& out) override {
        weighted_gram(x_, bend.data(), out);
        // Where all rows are sure the bias has no curve of its own left.
        for (int j = 0; j < x_.width; ++j) out[j * x_.width + j] += (j + 1 < x_.width ? ridge_ : 0.0) + 1e-12;
    }

  private:
    DenseRows x_;
    double ridge_;
    Vector signs_, share_;
    bool is_empty_ = false;
};

void run_logistic(DenseRows x, std::int64_t step, double flat, const Vector& signs, const Vector& weights, double ridge,
                  Vector& theta) {
    const bool is_first = std::all_of(theta.begin(), theta.end(), [](double t) { return t == 0; });
    x.step = step;
    x.n = (x.n + step - 1) / step;
    Logistic land(x, signs.data(), weights.data(), ridge);
    if (!land.is_empty()) descend(land, theta, x.width, flat, is_first && x.n >= STRETCHED_ROWS);
}

}  // namespace

Vector fit_logistic(const Points& points, const Vector& signs, const Vector& weights, double ridge) {
    Vector theta(points.stride, 0.0);
    if (points.n >= MANY_ROWS) run_logistic(points.rows_with_one(), STRIDE, ROUGH, signs, weights, ridge, theta);
    run_logistic(points.rows_with_one(), 1, 1e-8, signs, weights, ridge, theta);
    theta.resize(points.d + 1);
    return theta;
}

}  // namespace hornbeam
