#include "ensembles/lane_scores.hpp"

#include "core/portable.hpp"
#include "ensembles/lanes.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

HORNBEAM_CLONES void packed_scores(const std::int64_t* sums, std::size_t lanes, double total, double mean,
                                   double* scores) {
    const MomentScores score{total, mean};
    for (std::size_t i = 0; i < lanes; ++i) {
        const auto weight = static_cast<std::int32_t>(sums[i] >> 32), first = static_cast<std::int32_t>(sums[i]);
        scores[i] = score(first, first, weight);
    }
}

HORNBEAM_CLONES void number_scores(const std::int64_t* sums, std::size_t lanes, std::int64_t center, double total,
                                   double mean, double* scores) {
    const MomentScores score{total, mean};
    const std::int64_t* weights = sums + lanes;
    for (std::size_t i = 0; i < lanes; ++i) {
        const std::int64_t deviation = sums[i] - center * weights[i];
        scores[i] = score(deviation, deviation, static_cast<std::int32_t>(weights[i]));
    }
}

HORNBEAM_CLONES void square_scores(const std::int64_t* sums, std::size_t lanes, const ClassSquares& node,
                                   double* scores) {
    const auto& [n_classes, totals, total, node_squares] = node;
    const SquareScores score{total};
    for (std::size_t first = 0; first < lanes; first += LANES) {
        double squares[LANES] = {}, cross[LANES] = {}, weight[LANES] = {};
        for (int k = 0; k < n_classes; ++k) {
            const std::int64_t* below = sums + static_cast<std::size_t>(k) * lanes + first;
            const auto node_count = static_cast<double>(totals[k]);
            for (int i = 0; i < LANES; ++i) {
                const double count = static_cast<std::int32_t>(below[i]);
                squares[i] += count * count;
                cross[i] += count * node_count;
                weight[i] += count;
            }
        }
        for (int i = 0; i < LANES; ++i)
            scores[first + i] = score(squares[i], node_squares - 2 * cross[i] + squares[i], weight[i]);
    }
}

}  // namespace hornbeam
