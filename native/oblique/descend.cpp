// Newton steps, halved until they descend (Armijo 1e-4).
#include <algorithm>
#include <cmath>

#include "oblique/fits.hpp"

namespace hornbeam {

void descend(Landscape& land, Vector& theta, int width, double flat, bool is_stretched) {
    constexpr int MOST_STEPS = 100, MOST_HALVINGS = 40;
    constexpr double ARMIJO = 1e-4, LONGEST = 64;
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
        const auto look = [&](double length) {
            for (int j = 0; j < width; ++j) there[j] = theta[j] - length * move[j];
            return land.height(there, there_slope);
        };
        int halvings = 0;
        double height = look(size);
        for (; halvings < MOST_HALVINGS && !(height <= here + ARMIJO * size * fall); ++halvings)
            height = look(size /= 2);
        if (halvings == MOST_HALVINGS) return;
        for (bool is_longer = is_stretched && step == 0 && halvings == 0; is_longer && size < LONGEST;) {
            const Vector short_place = there, short_slope = there_slope;
            land.keep();
            const double further = look(1.5 * size);
            is_longer = further < height;
            if (is_longer) {
                height = further;
                size *= 1.5;
            } else {
                land.go_back();
                there = short_place;
                there_slope = short_slope;
            }
        }
        here = height;
        theta = there;
        slope = there_slope;
    }
}

}  // namespace hornbeam
