// Cut: the result of a search for the best cut of an ordered column, and the comparison of scores.
//
// Score a beats the incumbent b if a - b > tolerance, in ascending order of candidates: the first best wins. Scores are
// compared in blocks: only a block whose largest score beats the incumbent is scanned one by one, which has the same
// result at the speed of a maximum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/portable.hpp"

namespace hornbeam {

// Scores that differ by at most this times the scale of the node are equal. The scale is the impurity of the node; for
// class impurities at least LEAST_SCALE, because those of nearly pure nodes are rounded to multiples of 10^-16.
inline constexpr double SAME_SCORE = 1e-10, LEAST_SCALE = 1e-3;

struct Cut {
    double score = 0.0;
    std::int32_t at = -1;    // number of known rows below the cut; -1: none
    std::int32_t tried = 0;  // number of cuts with the minimum size of branches
};

// The minimum size of both sides of a cut.
struct MinSize {
    std::int64_t rows = 1;
    std::int64_t weight = 0;  // in the weight units of the target
    bool zero_gain = false;   // whether cuts of gain 0 are admissible
    // The score that the first cut must beat; `base` is the score of a cut of gain 0.
    double start(double base) const { return zero_gain ? -std::numeric_limits<double>::infinity() : base; }
};

// The minimum size of both sides, and the tolerance of equal scores.
struct CutRule {
    MinSize min_size;
    double tolerance = 0.0;
};

// C4.5 cuts only between neighbors of a minimum gap; the sum is that of the reference implementation.
inline bool are_apart(double low, double high) { return low + 1e-5 < high; }

// Buffers for the cuts of one scan, scored in batches that fit the L1 cache. Sums are written as integers of the
// smallest sufficient width and converted to doubles in vectors.
struct CutScratch {
    static constexpr std::int32_t BATCH = 1024;
    std::int32_t rows[BATCH];  // below the cut
    std::int32_t at[BATCH];    // the index of the cut
    std::int32_t first_narrow[BATCH], second_narrow[BATCH];
    std::int64_t first[BATCH], second[BATCH];
    double weight[BATCH];  // below the cut, if it is not the number of rows
    double score[BATCH];
};

// Updates `best` with the best of `count` scores by the rule above; `best.at` becomes the index of the score.
inline void take_best(const double* score, std::int32_t count, double tolerance, Cut& best) {
    constexpr std::int32_t BLOCK = 16;
    std::int32_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        double top[4] = {score[i], score[i + 1], score[i + 2], score[i + 3]};
        for (std::int32_t j = 4; j < BLOCK; j += 4)
            for (int lane = 0; lane < 4; ++lane) top[lane] = std::max(top[lane], score[i + j + lane]);
        if (std::max(std::max(top[0], top[1]), std::max(top[2], top[3])) - best.score > tolerance)
            for (std::int32_t j = i; j < i + BLOCK; ++j)
                if (score[j] - best.score > tolerance) best.score = score[j], best.at = j;
    }
    for (; i < count; ++i)
        if (score[i] - best.score > tolerance) best.score = score[i], best.at = i;
}

// Converts an integer to double; 64 bits in two halves, which vectorizes everywhere and rounds once.
inline double as_double(std::int32_t x) { return x; }
inline double as_double(double x) { return x; }
inline double as_double(std::int64_t x) {
    return static_cast<double>(static_cast<std::int32_t>(x >> 32)) * 4294967296.0 +
           static_cast<double>(static_cast<std::uint32_t>(x));
}

// Two classes, regression: score = D^2 / (W_L W_R) with D = S_L - W_L mean: the gain of Gini (times 2), squared error.
struct MomentScores {
    double total, mean;
    template <class Sum, class Weight>
    double operator()(Sum sum, Sum, Weight weight) const {
        const double w = as_double(weight), off = as_double(sum) - w * mean;
        return off * off / (w * (total - w));
    }
};

// The same for weighted rows: the weight above the cut is the second sum, because the difference of rounded weights
// would lose digits of a small one.
struct WeightedMomentScores {
    double mean;
    double operator()(std::int64_t sum, std::int64_t above, double weight) const {
        const double off = as_double(sum) - weight * mean;
        return off * off / (weight * as_double(above));
    }
};

// Several classes, Gini: score = squares_L / W_L + squares_R / W_R.
struct SquareScores {
    double total;
    template <class Sum, class Weight>
    double operator()(Sum left, Sum right, Weight weight) const {
        const double w = as_double(weight), other = total - w;
        return (as_double(left) * other + as_double(right) * w) / (w * other);
    }
};

// Entropy: the score itself, in fixed point.
struct LogScores {
    double unit;
    template <class Sum, class Weight>
    double operator()(Sum sum, Sum, Weight) const {
        return as_double(sum) * unit;
    }
};

// The sums below each cut of a batch, and the buffer of their scores.
template <class Sum, class Weight>
struct CutSums {
    const Sum *first, *second;
    const Weight* weight;
    double* score;
};

// Scores a batch and updates the best; the instances are in cut.cpp, compiled for several instruction sets.
template <class Scores, class Sum, class Weight>
void best_of_batch(Scores scores, const CutSums<Sum, Weight>& sums, std::int32_t count, double tolerance, Cut& best);

template <class Scores, class Sum, class Weight>
void best_of(Scores scores, const CutSums<Sum, Weight>& sums, std::int32_t count, double tolerance, Cut& best) {
    constexpr std::int32_t FEW = 8;
    if (count > FEW) return best_of_batch(scores, sums, count, tolerance, best);
    for (std::int32_t i = 0; i < count; ++i) {
        const double s = scores(sums.first[i], sums.second[i], sums.weight[i]);
        if (s - best.score > tolerance) best.score = s, best.at = i;
    }
}

}  // namespace hornbeam
