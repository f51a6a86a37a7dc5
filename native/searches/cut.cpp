#include "searches/cut.hpp"

namespace hornbeam {

HORNBEAM_CLONES void best_of_moments(const double* sum, const double* weight, double* score, std::int32_t count,
                                     double total, double mean, double tolerance, Cut& best) {
    for (std::int32_t i = 0; i < count; ++i) {
        const double off = sum[i] - weight[i] * mean;
        score[i] = off * off / (weight[i] * (total - weight[i]));
    }
    take_best(score, count, tolerance, best);
}

HORNBEAM_CLONES void best_of_squares(const double* left, const double* right, const double* weight, double* score,
                                     std::int32_t count, double total, double tolerance, Cut& best) {
    for (std::int32_t i = 0; i < count; ++i) {
        const double other = total - weight[i];
        score[i] = (left[i] * other + right[i] * weight[i]) / (weight[i] * other);
    }
    take_best(score, count, tolerance, best);
}

}  // namespace hornbeam
