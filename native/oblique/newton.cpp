// Newton's method with backtracking: steps are halved until the Armijo condition (1e-4) is fulfilled.
#include <algorithm>
#include <cmath>

#include "oblique/fits.hpp"

namespace hornbeam {

void minimize(Objective& objective, Vector& theta, int width, double tolerance, bool is_stretched) {
    constexpr int MAX_STEPS = 100, MAX_HALVINGS = 40;
    constexpr double ARMIJO = 1e-4, ROUNDING = 1e-14, MAX_LENGTH = 64;
    Vector gradient(theta.size()), trial_gradient(theta.size()), hessian, direction, trial(theta.size(), 0.0);
    double value = objective.value(theta, gradient);
    for (int step = 0; step < MAX_STEPS; ++step) {
        double largest = 0;
        for (int j = 0; j < width; ++j) largest = std::max(largest, std::abs(gradient[j]));
        if (!(largest >= tolerance)) return;
        objective.hessian(hessian);
        direction.assign(gradient.begin(), gradient.begin() + width);
        if (!solve_positive(hessian, direction, width)) return;
        double decrease = 0, size = 1;
        for (int j = 0; j < width; ++j) decrease -= gradient[j] * direction[j];
        const auto evaluate = [&](double length) {
            for (int j = 0; j < width; ++j) trial[j] = theta[j] - length * direction[j];
            return objective.value(trial, trial_gradient);
        };
        int halvings = 0;
        double trial_value = evaluate(size);
        const double slack = ROUNDING * std::abs(value);  // near the minimum, values differ by rounding alone
        for (; halvings < MAX_HALVINGS && !(trial_value <= value + ARMIJO * size * decrease + slack); ++halvings)
            trial_value = evaluate(size /= 2);
        if (halvings == MAX_HALVINGS) return;
        for (bool is_longer = is_stretched && step == 0 && halvings == 0; is_longer && size < MAX_LENGTH;) {
            const Vector shorter_trial = trial, shorter_gradient = trial_gradient;
            objective.swap_curvature();
            const double longer_value = evaluate(1.5 * size);
            is_longer = longer_value < trial_value;
            if (is_longer) {
                trial_value = longer_value;
                size *= 1.5;
            } else {
                objective.swap_curvature();
                trial = shorter_trial;
                trial_gradient = shorter_gradient;
            }
        }
        value = trial_value;
        theta = trial;
        gradient = trial_gradient;
    }
}

}  // namespace hornbeam
