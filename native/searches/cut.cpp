#include "searches/cut.hpp"

namespace hornbeam {

// target_clones does not support templates: each instance is a separate function.
#define HORNBEAM_BEST_OF(Scores, Sum, Weight)                                                                  \
    template <>                                                                                                \
    HORNBEAM_CLONES void best_of_batch<Scores, Sum, Weight>(Scores scores, const CutSums<Sum, Weight>& sums,   \
                                                            std::int32_t count, double tolerance, Cut& best) { \
        const Sum *first = sums.first, *second = sums.second;                                                  \
        const Weight* weight = sums.weight;                                                                    \
        double* score = sums.score;                                                                            \
        for (std::int32_t i = 0; i < count; ++i) score[i] = scores(first[i], second[i], weight[i]);            \
        take_best(score, count, tolerance, best);                                                              \
    }

HORNBEAM_BEST_OF(MomentScores, std::int32_t, std::int32_t)
HORNBEAM_BEST_OF(MomentScores, std::int64_t, std::int32_t)
HORNBEAM_BEST_OF(MomentScores, std::int64_t, double)
HORNBEAM_BEST_OF(WeightedMomentScores, std::int64_t, double)
HORNBEAM_BEST_OF(SquareScores, std::int32_t, std::int32_t)
HORNBEAM_BEST_OF(SquareScores, std::int64_t, std::int32_t)
HORNBEAM_BEST_OF(SquareScores, std::int64_t, double)
HORNBEAM_BEST_OF(LogScores, std::int64_t, std::int32_t)

}  // namespace hornbeam
