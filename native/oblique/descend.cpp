// Newton steps, halved until they descend (Armijo 1e-4).
#include <algorithm>
#include <cmath>

#include "oblique/fits.hpp"

namespace hornbeam {

void descend(Landscape& land, Vector& theta, int width, double flat) {
    constexpr int MOST_STEPS = 100, MOST_HALVINGS = 40;
    constexpr double ARMIJO = 1e-4;
    Vector slope(theta.size()), there_slope(theta.size()), curve, move, there(theta.size(), 0.0);
    double here = land.height(theta, slope);
    for (int step = 0; step < MOST_STEPS; ++step) {
        double steepest = 0;
        for (int j = 0; j < width; ++j) steepest = std::max(steepest, std::abs(slope[j]));
        if (!(steepest >= flat)) return;
        land.curve(curve);
        move.assign(slope.begin(), slope.begin() + width);
        if (!solve_positive(curve, move, width)) return;
        double fall = 0, size = 1;
        for (int j = 0; j < width; ++j) fall -= slope[j] * move[j];
        int halvings = 0;
        for (; halvings < MOST_HALVINGS; ++halvings, size /= 2) {
            for (int j = 0; j < width; ++j) there[j] = theta[j] - size * move[j];
            const double height = land.height(there, there_slope);
            if (height <= here + ARMIJO * size * fall) {
                here = height;
                break;
            }
        }
        if (halvings == MOST_HALVINGS) return;
        theta = there;
        slope = there_slope;
    }
}

}  // namespace hornbeam
