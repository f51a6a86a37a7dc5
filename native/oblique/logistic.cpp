// Logistic regression of signs; the reference implementation is parts/searches/logistic_plane.py.
#include <cmath>
#include <numeric>

#include "oblique/margin_loss.hpp"

namespace hornbeam {
namespace {

class Logistic final : public MarginLoss {
  public:
    Logistic(const DenseRows& x, const Vector& signs, const Vector& weights, double ridge)
        : MarginLoss(x, signs, weights), ridge_(ridge) {
        const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
        is_empty_ = !(total > 0);
        for (double& weight : weights_) weight /= total;
    }
    bool is_empty() const { return is_empty_; }

    double value(const Vector& theta, Vector& gradient) override {
        double doubt[CHUNK], loss[CHUNK], sum = 0;
        std::fill(gradient.begin(), gradient.end(), 0.0);
        each_chunk(theta, gradient, [&](std::int64_t from, int n, const double* margin, double* pull) {
            doubts_and_losses(margin, n, doubt, loss);
            for (int i = 0; i < n; ++i) {
                const double weight = weights_[from + i];
                sum += weight * loss[i];
                row_curvature[from + i] = weight * doubt[i] * (1.0 - doubt[i]);
                pull[i] = weight * signs_[from + i] * doubt[i];
            }
        });
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
    double ridge_;
    bool is_empty_ = false;
};

}  // namespace

Vector fit_logistic(const Points& points, const Vector& signs, const Vector& weights, double ridge) {
    // A direction this short, where the likelihood has no slope, is rounding: the columns do not separate the sides.
    constexpr double SHORT = 1e-9, NO_SLOPE = 1e-13;
    Vector found = fit_by_margins(points, [&](const DenseRows& x, double tolerance, bool is_stretched, Vector& theta) {
        Logistic objective(x, signs, weights, ridge);
        if (!objective.is_empty()) minimize(objective, theta, x.width, tolerance, is_stretched);
    });
    const double length = std::sqrt(std::inner_product(found.begin(), found.end() - 1, found.begin(), 0.0));
    if (length <= SHORT && ridge * length <= NO_SLOPE) std::fill(found.begin(), found.end() - 1, 0.0);
    return found;
}

}  // namespace hornbeam
