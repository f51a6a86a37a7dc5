// Fixed-point weights and targets (fixed.hpp).
#include "core/fixed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace hornbeam {
namespace {

constexpr int MAX_BITS = 61;
constexpr double SMALL_TOTAL = 2147483648.0;  // 2^31

// The exponent of the lowest bit that is set in a double.
int lowest_bit(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    const auto digits = static_cast<std::uint64_t>(std::ldexp(std::fabs(fraction), 53));
    return exponent - 53 + std::countr_zero(digits);
}

// The power of two in whose units a total is below 2^61.
double unit_for(double total) { return total > 0 ? std::ldexp(1.0, std::ilogb(total) + 2 - MAX_BITS) : 1.0; }

}  // namespace

void set_weights(Target& target, const double* weights, std::int64_t n, bool is_fine) {
    target.weights.clear();
    target.weight_unit = 1.0;
    if (is_fine && n > 0) {
        double total = static_cast<double>(n);
        if (weights) total = std::accumulate(weights, weights + n, 0.0);
        target.weight_unit = unit_for(total);
        target.weights.resize(n);
        for (std::int64_t i = 0; i < n; ++i)
            target.weights[i] =
                std::max<std::int64_t>(1, std::llround((weights ? weights[i] : 1.0) / target.weight_unit));
        return;
    }
    if (!weights || n == 0) return;
    if (std::all_of(weights, weights + n, [&](double w) { return w == weights[0]; })) {
        target.weight_unit = weights[0];
        return;
    }
    double total = 0;
    int low = 4096;
    for (std::int64_t i = 0; i < n; ++i) {
        total += weights[i];
        low = std::min(low, lowest_bit(weights[i]));
    }
    const double exact = std::ldexp(1.0, low);
    target.weight_unit = total / exact < SMALL_TOTAL ? exact : unit_for(total);
    target.weights.resize(n);
    for (std::int64_t i = 0; i < n; ++i)
        target.weights[i] = std::max<std::int64_t>(1, std::llround(weights[i] / target.weight_unit));
}

void set_numbers(Target& target, const double* numbers, std::int64_t n) {
    target.n_classes = 0;
    target.numbers = numbers;
    target.sums.assign(n, 0);
    target.origin = 0.0;
    if (n == 0) return;
    const auto [low, high] = std::minmax_element(numbers, numbers + n);
    const double middle = *low / 2 + *high / 2;
    double nearest = *low;
    for (std::int64_t i = 0; i < n; ++i) {
        const double off = std::fabs(numbers[i] - middle), best = std::fabs(nearest - middle);
        if (off < best || (off == best && numbers[i] < nearest)) nearest = numbers[i];
    }
    target.origin = nearest;
    double largest = 0;
    for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(numbers[i] - target.origin));
    double weight = static_cast<double>(n);
    for (const std::int64_t w : target.weights) weight += static_cast<double>(w);
    target.unit = unit_for(largest * weight);
    for (std::int64_t i = 0; i < n; ++i) {
        const double w = target.weights.empty() ? 1.0 : static_cast<double>(target.weights[i]);
        target.sums[i] = std::llround((numbers[i] - target.origin) / target.unit * w);
    }
}

void set_several(Target& target, const std::vector<const double*>& numbers, std::int64_t n) {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(n) * numbers.size());
    target.several.clear();
    for (std::size_t t = 0; t < numbers.size(); ++t) {
        set_numbers(target, numbers[t], n);
        target.several.push_back({numbers[t], target.origin, target.unit});
        for (std::int64_t i = 0; i < n; ++i) sums[i * numbers.size() + t] = target.sums[i];
    }
    target.sums = std::move(sums);
    target.numbers = nullptr;
}

}  // namespace hornbeam
