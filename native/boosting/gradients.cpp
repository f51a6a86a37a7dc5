#include "boosting/gradients.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/exponential.hpp"
#include "core/portable.hpp"
#include "searches/cut.hpp"

namespace hornbeam {
namespace {

constexpr double MIN_PROBABILITY = 1e-15;

// Rounds doubles below 2^51 to the nearest integer by adding 1.5 * 2^52: no function call, vectorizable.
constexpr double SHIFT = 6755399441055744.0;
inline std::int64_t rounded(double x) {
    return std::bit_cast<std::int64_t>(x + SHIFT) - std::bit_cast<std::int64_t>(SHIFT);
}

// Converts derivatives to integers, in units.
struct ToPair {
    double to_g, to_h;
    int bits;

    explicit ToPair(const Units& units) : to_g(1.0 / units.g), to_h(1.0 / units.h), bits(units.count_bits) {}
    Pair operator()(double g, double h) const { return {rounded(g * to_g), (rounded(h * to_h) << bits) + 1}; }
};

HORNBEAM_CLONES void fill_logistic(const double* target, const double* score, ToPair pair_of, std::int64_t n,
                                   Pair* pairs) {
    for (std::int64_t i = 0; i < n; ++i) {
        const double p = 1.0 / (1.0 + exponential(-score[i]));
        pairs[i] = pair_of(p - target[i], p * (1.0 - p));
    }
}

HORNBEAM_CLONES void fill_exponentials(const double* scores, const double* max_score, double* sums, std::int64_t begin,
                                       std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) sums[i] += exponential(scores[i] - max_score[i]);
}

// The sum of weights times targets, each rounded to a multiple of one unit: the same in any order of rows.
double sum_in_any_order(const Rows& rows) {
    const auto value = [&](std::int64_t i) { return (rows.weights ? rows.weights[i] : 1.0) * rows.target[i]; };
    double largest = 0;
    for (std::int64_t i = 0; i < rows.n; ++i) largest = std::max(largest, std::fabs(value(i)));
    int exponent = 0;
    std::frexp(largest, &exponent);
    constexpr int BITS = 60;
    Wide sum = 0;
    for (std::int64_t i = 0; i < rows.n; ++i) sum += std::llrint(std::ldexp(value(i), BITS - exponent));
    return std::ldexp(static_cast<double>(sum), exponent - BITS);
}

}  // namespace

Units units_for(double max_g, double max_h, std::int64_t n) {
    const int log_n = std::bit_width(static_cast<std::uint64_t>(n));
    const auto unit = [](double bound, int bits) {
        return bound > 0 && std::isfinite(bound) ? std::ldexp(1.0, std::ilogb(bound) + 1 - bits) : 1.0;
    };
    Units out;
    out.count_bits = log_n;
    out.g = unit(max_g, std::min(61 - log_n, 50));
    out.h = unit(max_h, std::clamp(61 - 2 * log_n, 8, 50));
    return out;
}

Bounds bounds(Loss loss, const Rows& rows, const double* score, std::int64_t begin, std::int64_t end) {
    Bounds out;
    double max_weight = 0.0, max_residual = 0.0, max_mean = 0.0;
    for (std::int64_t i = begin; i < end; ++i) {
        const double w = rows.weights ? rows.weights[i] : 1.0;
        max_weight = std::max(max_weight, w);
        if (loss == Loss::squared) max_residual = std::max(max_residual, w * std::fabs(score[i] - rows.target[i]));
        if (loss == Loss::poisson) {
            const double mean = exponential(score[i]);
            max_mean = std::max(max_mean, w * mean);
            max_residual = std::max(max_residual, w * std::fabs(mean - rows.target[i]));
        }
    }
    const bool is_class = loss == Loss::logistic || loss == Loss::softmax;
    out.g = loss == Loss::squared || loss == Loss::poisson ? max_residual : max_weight;
    out.h = is_class ? max_weight * rows.curvature / 4 : loss == Loss::poisson ? max_mean : max_weight;
    return out;
}

void PairWriter::fill(const LossRule& rule, std::int64_t begin, std::int64_t end) const {
    const ToPair pair_of(units);
    const auto fill_with = [&](const auto& of) {
        for (std::int64_t i = begin; i < end; ++i) {
            const double w = rows.weights ? rows.weights[i] : 1.0;
            double g = 0.0, h = 1.0;
            of(scores[i], rows.target[i], g, h);
            pairs[i] = pair_of(w * g, w * h);
        }
    };
    switch (rule.loss) {
        case Loss::logistic:
            if (!rows.weights)
                return fill_logistic(rows.target + begin, scores + begin, pair_of, end - begin, pairs + begin);
            return fill_with([](double f, double y, double& g, double& h) {
                const double p = 1.0 / (1.0 + exponential(-f));
                g = p - y, h = p * (1.0 - p);
            });
        case Loss::squared:
            return fill_with([](double f, double y, double& g, double&) { g = f - y; });
        case Loss::poisson:
            return fill_with([](double f, double y, double& g, double& h) { h = exponential(f), g = h - y; });
        case Loss::absolute:
            return fill_with([](double f, double y, double& g, double&) { g = (f > y) - (f < y); });
        case Loss::quantile:
            return fill_with([q = rule.q](double f, double y, double& g, double&) {
                g = f > y ? 1.0 - q : f < y ? -q : 0.0;
            });
        case Loss::softmax:
            return;
    }
}

void prepare_softmax(const double* scores, std::int64_t n, int n_classes, std::int64_t begin, std::int64_t end,
                     const Softmax& out) {
    for (std::int64_t i = begin; i < end; ++i) out.max_score[i] = scores[i], out.scale[i] = 0.0;
    for (int k = 1; k < n_classes; ++k)
        for (std::int64_t i = begin; i < end; ++i) out.max_score[i] = std::max(out.max_score[i], scores[k * n + i]);
    for (int k = 0; k < n_classes; ++k) fill_exponentials(scores + k * n, out.max_score, out.scale, begin, end);
    for (std::int64_t i = begin; i < end; ++i) out.scale[i] = 1.0 / out.scale[i];
}

void PairWriter::fill_class(int k, const Softmax& parts, std::int64_t begin, std::int64_t end) const {
    const ToPair pair_of(units);
    for (std::int64_t i = begin; i < end; ++i) {
        const double w = rows.weights ? rows.weights[i] : 1.0;
        const double p = exponential(scores[k * rows.n + i] - parts.max_score[i]) * parts.scale[i];
        const double y = rows.target[i] == k ? 1.0 : 0.0;
        pairs[i] = pair_of(w * (p - y), w * (rows.curvature * (p * (1.0 - p))));
    }
}

void PairWriter::fill_group(const std::vector<std::uint8_t>& group, const Softmax& parts, std::int64_t begin,
                            std::int64_t end) const {
    const ToPair pair_of(units);
    for (std::int64_t i = begin; i < end; ++i) {
        double p = 0.0;
        for (std::size_t k = 0; k < group.size(); ++k)
            if (group[k]) p += exponential(scores[static_cast<std::int64_t>(k) * rows.n + i] - parts.max_score[i]);
        p = std::min(p * parts.scale[i], 1.0);
        const double w = rows.weights ? rows.weights[i] : 1.0;
        const double y = group[static_cast<std::size_t>(rows.target[i])];
        pairs[i] = pair_of(w * (p - y), w * (p * (1.0 - p)));
    }
}

void add_losses(const LossRule& rule, const Rows& rows, const double* scores, std::int64_t begin, std::int64_t end,
                LimbSum& sum) {
    const double q = rule.q;
    const int n_classes = rule.n_classes;
    for (std::int64_t i = begin; i < end; ++i) {
        const double w = rows.weights ? rows.weights[i] : 1.0, y = rows.target[i], f = scores[i];
        double row_loss = 0;
        switch (rule.loss) {
            case Loss::logistic:
                row_loss = std::max(f, 0.0) + std::log1p(std::exp(-std::fabs(f))) - y * f;
                break;
            case Loss::softmax: {
                double max_score = f, all = 0;
                for (int k = 1; k < n_classes; ++k) max_score = std::max(max_score, scores[k * rows.n + i]);
                for (int k = 0; k < n_classes; ++k) all += std::exp(scores[k * rows.n + i] - max_score);
                row_loss = max_score + std::log(all) - scores[static_cast<std::int64_t>(y) * rows.n + i];
                break;
            }
            case Loss::squared:
                row_loss = (f - y) * (f - y) / 2;
                break;
            case Loss::poisson:
                row_loss = std::exp(f) - y * f;
                break;
            case Loss::absolute:
                row_loss = std::fabs(y - f);
                break;
            case Loss::quantile:
                row_loss = y > f ? q * (y - f) : (1 - q) * (f - y);
                break;
        }
        sum.add(w * row_loss);
    }
}

double weighted_quantile(std::vector<std::pair<double, double>>& values, double q) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    double all = 0, below = 0;
    for (const auto& [value, weight] : values) all += weight;
    for (const auto& [value, weight] : values) {
        below += weight;
        if (below >= q * all) return value;
    }
    return values.back().first;
}

std::vector<double> base_scores(Loss loss, double q, const Rows& rows, int n_classes) {
    std::vector<double> class_weights(std::max(n_classes, 1), 0.0);
    double all = 0;
    for (std::int64_t i = 0; i < rows.n; ++i) {
        const double w = rows.weights ? rows.weights[i] : 1.0;
        all += w;
        if (loss == Loss::softmax) class_weights[static_cast<std::size_t>(rows.target[i])] += w;
    }
    if (loss == Loss::absolute || loss == Loss::quantile) {
        std::vector<std::pair<double, double>> values(rows.n);
        for (std::int64_t i = 0; i < rows.n; ++i) values[i] = {rows.target[i], rows.weights ? rows.weights[i] : 1.0};
        return {weighted_quantile(values, loss == Loss::absolute ? 0.5 : q)};
    }
    return base_of_mean(loss, sum_in_any_order(rows) / all, class_weights, all);
}

std::vector<double> base_of_mean(Loss loss, double mean, const std::vector<double>& class_weights, double weight) {
    switch (loss) {
        case Loss::logistic: {
            const double p = std::clamp(mean, MIN_PROBABILITY, 1 - MIN_PROBABILITY);
            return {std::log(p / (1 - p))};
        }
        case Loss::softmax: {
            std::vector<double> out;
            for (const double of_class : class_weights)
                out.push_back(std::log(std::max(of_class / weight, MIN_PROBABILITY)));
            return out;
        }
        case Loss::poisson:
            return {std::log(std::max(mean, MIN_PROBABILITY))};
        default:
            return {mean};
    }
}

}  // namespace hornbeam
