// The shared parts of the criteria, and the table of criteria by name (criterion.hpp).
#include "criteria/criterion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "criteria/impurities.hpp"
#include "criteria/poisson.hpp"
#include "criteria/split_scores.hpp"

namespace hornbeam {

double total(const double* stats, int width) {
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += stats[k];
    return sum;
}

double Criterion::decrease(const SplitStats& split) const {
    const double weight = total(split.parent, split.width);
    double remaining = impurity(split.parent, split.width);
    for (int b = 0; b < split.n_branches; ++b) {
        const double* stats = split.branches + b * split.width;
        const double w = total(stats, split.width);
        if (w > 0) remaining -= w / weight * impurity(stats, split.width);
    }
    return remaining;
}

double Criterion::divergence(const double* stats, const double* center, int width, bool is_number) const {
    if (is_number) {
        double sum = 0;
        for (int t = 1; t < width; ++t) {
            const double off = stats[t] / stats[0] - center[t] / center[0];
            sum += off * off;
        }
        return sum;
    }
    const double w = total(stats, width), all = total(center, width);
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += (stats[k] / w - center[k] / all) * (stats[k] / w - center[k] / all);
    return sum;
}

// Kullback-Leibler divergence in bits: infinite if the group has a class that the center does not have.
double EntropyDecrease::divergence(const double* stats, const double* center, int width, bool) const {
    const double w = total(stats, width), all = total(center, width);
    double sum = 0;
    for (int k = 0; k < width; ++k)
        if (stats[k] > 0) {
            if (center[k] <= 0) return std::numeric_limits<double>::infinity();
            sum += stats[k] / w * std::log2(stats[k] / w / (center[k] / all));
        }
    return sum;
}

// The first class whose weight is within 1e-12 of the largest.
static int first_largest(const double* stats, int width) {
    const double largest = *std::max_element(stats, stats + width);
    int k = 0;
    while (stats[k] < largest - 1e-12 * std::abs(largest)) ++k;
    return k;
}

// The error rate of the center's class, minus that of the group's own class.
double ZeroOneDecrease::divergence(const double* stats, const double* center, int width, bool) const {
    const double w = total(stats, width);
    const double wrong = 1.0 - stats[first_largest(center, width)] / w;
    return std::max(wrong - (1.0 - stats[first_largest(stats, width)] / w), 0.0);
}

double Entropy::of(const double* stats, int width, double weight) {
    double bits = weight * std::log2(weight);
    for (int k = 0; k < width; ++k)
        if (stats[k] > 0) bits -= stats[k] * std::log2(stats[k]);
    return bits > 0 ? bits / weight : 0.0;
}

double split_information(const SplitStats& split, bool is_number) {
    double known = 0, bits = 0;
    const auto add = [&](double w) {
        if (w > 0) bits -= w * std::log2(w);
        known += w;
    };
    for (int b = 0; b < split.n_branches; ++b) {
        const double* stats = split.branches + b * split.width;
        add(is_number ? stats[0] : total(stats, split.width));
    }
    add(split.unknown);
    return known > 0 ? (bits + known * std::log2(known)) / known : 0.0;
}

std::unique_ptr<Criterion> make_criterion(const std::string& name) {
    using Make = std::unique_ptr<Criterion> (*)();
    static const std::vector<std::pair<std::string, Make>> makers = {
        {"gini", [] { return std::unique_ptr<Criterion>(new Decrease<Gini>()); }},
        {"entropy", [] { return std::unique_ptr<Criterion>(new EntropyDecrease()); }},
        {"c45", [] { return std::unique_ptr<Criterion>(new EntropyDecrease()); }},
        {"two_class_variance", [] { return std::unique_ptr<Criterion>(new Decrease<TwoClassVariance>()); }},
        {"misclassification", [] { return std::unique_ptr<Criterion>(new Decrease<Misclassification>()); }},
        {"zero_one", [] { return std::unique_ptr<Criterion>(new ZeroOneDecrease()); }},
        {"squared_error", [] { return std::unique_ptr<Criterion>(new SquaredError()); }},
        {"poisson", [] { return std::unique_ptr<Criterion>(new Poisson(true)); }},
        {"poisson_loss", [] { return std::unique_ptr<Criterion>(new Poisson(false)); }},
        {"gain_ratio", [] { return std::unique_ptr<Criterion>(new GainRatio()); }},
        {"cart_measure", [] { return std::unique_ptr<Criterion>(new CartMeasure()); }},
        {"twoing", [] { return std::unique_ptr<Criterion>(new Twoing()); }},
        {"chi_square", [] { return std::unique_ptr<Criterion>(new ChiSquare()); }},
        {"hellinger", [] { return std::unique_ptr<Criterion>(new Hellinger()); }},
    };
    for (const auto& [known, make] : makers)
        if (known == name) return make();
    throw std::invalid_argument("Unknown criterion '" + name + "' in the plan.");
}

std::unique_ptr<Criterion> make_cost_criterion(const std::vector<double>& costs) {
    return std::make_unique<ExpectedCost>(costs);
}

}  // namespace hornbeam
