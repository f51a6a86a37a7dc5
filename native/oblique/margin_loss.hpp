// MarginLoss: an objective that adds up a loss of the margins of rows: row times theta, times the sign of the row.
#pragma once

#include <algorithm>

#include "core/stop.hpp"
#include "oblique/fits.hpp"
#include "oblique/smooth.hpp"

namespace hornbeam {

class MarginLoss : public Objective {
  public:
    static constexpr int CHUNK = 64;  // rows whose margins are computed together

    MarginLoss(const DenseRows& x, const Vector& signs, const Vector& weights) : x_(x), signs_(x.n), weights_(x.n) {
        for (std::int64_t i = 0; i < x.n; ++i) {
            signs_[i] = signs[i * x.step];
            weights_[i] = weights[i * x.step];
        }
    }

  protected:
    // Calls terms(from, n, margins, pulls) for every chunk of rows: it writes the derivative of the loss of each row,
    // whose sum over the rows is subtracted from the gradient.
    template <class Terms>
    void each_chunk(const Vector& theta, Vector& gradient, const Terms& terms) {
        const double* rows[CHUNK];
        double margin[CHUNK], pull[CHUNK];
        row_curvature.resize(x_.n);
        for (std::int64_t from = 0; from < x_.n; from += CHUNK) {
            const int n = static_cast<int>(std::min<std::int64_t>(CHUNK, x_.n - from));
            check_stop(static_cast<std::int64_t>(n) * x_.stride);
            for (int i = 0; i < n; ++i) rows[i] = x_.row(from + i);
            rows_times(rows, n, theta.data(), x_.stride, margin);
            for (int i = 0; i < n; ++i) margin[i] *= signs_[from + i];
            terms(from, n, margin, pull);
            subtract_pulls(rows, n, pull, x_.stride, gradient.data());
        }
    }

    DenseRows x_;
    Vector signs_, weights_;
};

// The theta of the points by run(x, tolerance, is_stretched, theta): of some of many rows first, then of all.
template <class Run>
Vector fit_by_margins(const Points& points, const Run& run) {
    Vector theta(points.stride, 0.0);
    const auto fit = [&](const DenseRows& x, double tolerance) {
        const bool is_first = std::all_of(theta.begin(), theta.end(), [](double t) { return t == 0; });
        run(x, tolerance, is_first && x.n >= STRETCHED_ROWS, theta);
    };
    if (points.n >= MANY_ROWS) fit(points.rows_with_one().every(STRIDE), ROUGH);
    fit(points.rows_with_one(), 1e-8);
    theta.resize(points.d + 1);
    return theta;
}

}  // namespace hornbeam
