// Gradients of rows: the first and second derivative of the loss with respect to the score F, as integers.
//
//     logistic   g = w (p - y)      h = w p (1 - p)     p = 1 / (1 + e^-F)
//     softmax    g = w (p_k - y_k)  h = w p_k (1 - p_k) K / (K - 1)
//     squared    g = w (F - y)      h = w
//     poisson    g = w (e^F - y)    h = w e^F
//     absolute   g = w sign(F - y)  h = w               leaf values: the median of the residuals
//     quantile   g = w (1 - q) or -w q, h = w           leaf values: their quantile
//
// A row becomes a pair: g in units of `g_unit`; h in units of `h_unit`, shifted up by `count_bits`, plus 1, so that the
// sum of pairs also counts rows. Units are powers of two, given by bounds over the whole table, so sums are exact in
// any order. g has about 60 - log2(n) bits, h about 61 - 2 log2(n).
#pragma once

#include <cstdint>
#include <vector>

#include "binned/histogram.hpp"
#include "core/limb_sum.hpp"

namespace hornbeam {

enum class Loss : int { logistic, softmax, squared, poisson, absolute, quantile };

struct Units {
    double g = 1.0, h = 1.0;
    int count_bits = 1;

    double gradient(std::int64_t first) const { return static_cast<double>(first) * g; }
    double hessian(std::int64_t second) const { return static_cast<double>(second >> count_bits) * h; }
    std::int64_t rows(std::int64_t second) const { return second & ((std::int64_t{1} << count_bits) - 1); }
};

// Units for n rows with these bounds of |g| and h.
Units units_for(double max_g, double max_h, std::int64_t n);

// The input of a loss: targets, which are classes 0, 1 (logistic), classes 0..K-1 (softmax) or values; weights or null.
struct Rows {
    std::int64_t n = 0;
    const double* target = nullptr;
    const double* weights = nullptr;
    double curvature = 1.0;  // softmax: K / (K - 1), because the K scores of a row move together (Friedman 2001)
};

struct Softmax {  // per row, computed before a round
    double *max_score = nullptr, *scale = nullptr;

    Softmax from(std::int64_t row) const { return {max_score + row, scale + row}; }
};

// Bounds of the rows [begin, end): {largest |g|, largest h}.
struct Bounds {
    double g = 0.0, h = 0.0;
};
Bounds bounds(Loss loss, const Rows& rows, const double* score, std::int64_t begin, std::int64_t end);

struct LossRule {
    Loss loss = Loss::squared;
    double q = 0.5;
    int n_classes = 0;  // of softmax
};

// Softmax: the terms that the pairs of all classes have in common.
void prepare_softmax(const double* scores, std::int64_t n, int n_classes, std::int64_t begin, std::int64_t end,
                     const Softmax& out);

// Writes the gradient pairs of the rows [begin, end).
struct PairWriter {
    const Rows& rows;
    const double* scores;  // softmax: by class
    const Units& units;
    Pair* pairs;

    // All losses except softmax.
    void fill(const LossRule& rule, std::int64_t begin, std::int64_t end) const;
    // Softmax: of class k; `parts` from `prepare_softmax`.
    void fill_class(int k, const Softmax& parts, std::int64_t begin, std::int64_t end) const;
    // Softmax: of the logistic loss of a group of classes; 1 for each that is in it.
    void fill_group(const std::vector<std::uint8_t>& group, const Softmax& parts, std::int64_t begin,
                    std::int64_t end) const;
};

// Adds the loss of the rows [begin, end), weighted.
void add_losses(const LossRule& rule, const Rows& rows, const double* scores, std::int64_t begin, std::int64_t end,
                LimbSum& sum);
// The best constant scores; the same from the mean target and the class weights.
std::vector<double> base_scores(Loss loss, double q, const Rows& rows, int n_classes);
std::vector<double> base_of_mean(Loss loss, double mean, const std::vector<double>& class_weights, double weight);

// The smallest value at which the cumulative weight reaches q times the total; values are (value, weight).
double weighted_quantile(std::vector<std::pair<double, double>>& values, double q);

}  // namespace hornbeam
