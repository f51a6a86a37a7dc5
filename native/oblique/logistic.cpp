// The twin of parts/searches/logistic_plane.py.
#include <algorithm>
#include <cmath>

#include "oblique/fits.hpp"

namespace hornbeam {
namespace {

class Logistic final : public Landscape {
  public:
    Logistic(const Rows& x, const double* signs, const double* weights, double ridge)
        : x_(x), ridge_(ridge), signs_(x.n), share_(x.n), bend_(x.n) {
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
        const int stride = x_.stride;
        std::fill(slope.begin(), slope.end(), 0.0);
        double sum = 0;
        for (std::int64_t i = 0; i < x_.n; ++i) {
            const double* row = x_.row(i);
            const double margin = signs_[i] * lanes_dot(row, theta.data(), stride);
            const double e = std::exp(-std::abs(margin));
            const double inside = (margin >= 0 ? e : 1.0) / (1.0 + e);  // the share of doubt, 1 / (1 + exp(margin))
            sum += share_[i] * ((margin >= 0 ? 0.0 : -margin) + std::log(1.0 + e));
            bend_[i] = share_[i] * inside * (1.0 - inside);
            const double pull = share_[i] * signs_[i] * inside;
            for (int j = 0; j < stride; ++j) slope[j] -= pull * row[j];
        }
        double squares = 0;
        for (int j = 0; j + 1 < x_.width; ++j) {
            slope[j] += ridge_ * theta[j];
            squares += theta[j] * theta[j];
        }
        return sum + 0.5 * ridge_ * squares;
    }
    void curve(Vector& out) override {
        weighted_gram(x_, bend_.data(), out);
        // Where all rows are sure the bias has no curve of its own left.
        for (int j = 0; j < x_.width; ++j) out[j * x_.width + j] += (j + 1 < x_.width ? ridge_ : 0.0) + 1e-12;
    }

  private:
    Rows x_;
    double ridge_;
    Vector signs_, share_, bend_;
    bool is_empty_ = false;
};

void run(Rows x, std::int64_t step, double flat, const Vector& signs, const Vector& weights, double ridge,
         Vector& theta) {
    x.step = step;
    x.n = (x.n + step - 1) / step;
    Logistic land(x, signs.data(), weights.data(), ridge);
    if (!land.is_empty()) descend(land, theta, x.width, flat);
}

}  // namespace

Vector fit_logistic(const Points& points, const Vector& signs, const Vector& weights, double ridge) {
    Vector theta(points.stride, 0.0);
    if (points.n >= MANY_ROWS) run(points.rows_with_one(), STRIDE, ROUGH, signs, weights, ridge, theta);
    run(points.rows_with_one(), 1, 1e-8, signs, weights, ridge, theta);
    theta.resize(points.d + 1);
    return theta;
}

}  // namespace hornbeam
