// Perceptron; the reference implementation is parts/searches/perceptron_plane.py.
#include <limits>
#include <numeric>

#include "core/stop.hpp"
#include "oblique/fits.hpp"

namespace hornbeam {

Vector fit_perceptron(const Points& points, const Vector& signs, int epochs) {
    const int width = points.d + 1;
    const double mean =
        std::accumulate(points.weights.begin(), points.weights.end(), 0.0) / static_cast<double>(points.n);
    Vector plane(width, 0.0), best(width, 0.0);
    double smallest_error = std::numeric_limits<double>::infinity();
    const auto value = [&](const double* row) {
        double sum = plane[0] * row[0];
        for (int j = 1; j < width; ++j) sum += plane[j] * row[j];
        return sum;
    };
    bool is_changed = true;
    for (int epoch = 0; epoch < epochs && is_changed; ++epoch) {
        is_changed = false;
        for (std::int64_t i = 0; i < points.n; ++i) {
            check_stop(2 * width);
            const double* row = points.row(i);
            if (signs[i] * value(row) > 0) continue;
            const double step = signs[i] * (points.weights[i] / mean);
            for (int j = 0; j < width; ++j) plane[j] += step * row[j];
            is_changed = true;
        }
        double error = 0;
        for (std::int64_t i = 0; i < points.n; ++i)
            if (!(signs[i] * value(points.row(i)) > 0)) error += points.weights[i];
        if (error < smallest_error) best = plane, smallest_error = error;
    }
    return best;
}

}  // namespace hornbeam
