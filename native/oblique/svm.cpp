// Linear support vector machine with squared hinge loss; the reference implementation is parts/searches/svm_plane.py.
#include <cmath>

#include "oblique/margin_loss.hpp"

namespace hornbeam {
namespace {

class SquaredHinge final : public MarginLoss {
  public:
    SquaredHinge(const DenseRows& x, const Vector& signs, const Vector& weights, double cost)
        : MarginLoss(x, signs, weights) {
        // If only every sixteenth row is used, each has sixteen times its weight.
        for (double& weight : weights_) weight = 2 * cost * static_cast<double>(x.step) * weight;
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
        double sum = 0;
        gradient = theta;
        each_chunk(theta, gradient, [&](std::int64_t from, int n, const double* margin, double* pull) {
            for (int i = 0; i < n; ++i) {
                const double weight = weights_[from + i];
                const double shortfall = std::max(0.0, 1.0 - margin[i]);
                row_curvature[from + i] = shortfall > 0 ? weight : 0.0;
                sum += weight * shortfall * shortfall;
                pull[i] = weight * signs_[from + i] * shortfall;
            }
        });
        double squares = 0;
        for (const double t : theta) squares += t * t;
        return 0.5 * (squares + sum);
    }
    void hessian(Vector& out) override {
        weighted_gram(x_, row_curvature.data(), out);
        for (int j = 0; j < x_.width; ++j) out[j * x_.width + j] += 1.0;
    }
};

}  // namespace

Vector fit_svm(const Points& points, const Vector& signs, double cost) {
    return fit_by_margins(points, [&](const DenseRows& x, double tolerance, bool is_stretched, Vector& theta) {
        SquaredHinge objective(x, signs, points.weights, cost);
        minimize(objective, theta, x.width, tolerance * objective.largest_gradient(), is_stretched);
    });
}

}  // namespace hornbeam
