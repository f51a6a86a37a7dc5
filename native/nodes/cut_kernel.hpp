// with_kernel: constructs the kernel that scores the cuts of a node from the sums of the node.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"
#include "searches/cell_scores.hpp"
#include "searches/cut_kernels.hpp"

namespace hornbeam {

// Returns the cut of run(kernel, to_gain), with its score as a gain: the score of the kernel times `to_gain`.
template <class Run>
Cut with_kernel(const Scoring& s, const AnyBlock& block, const Totals& totals, double unknown, Scratch& scratch,
                const Run& run) {
    const auto best = [&](auto& kernel, double to_gain) {
        Cut cut = run(kernel, to_gain);
        cut.score *= to_gain;
        return cut;
    };
    const Target& target = s.plan.target;
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    const auto weight = static_cast<double>(totals.weight);
    switch (s.kernel) {
        case CutKernel::two_classes: {
            const double to_gain = s.is_gini ? 2.0 : 1.0;
            const ScaledMean mean{.rest = static_cast<double>(totals.cell[1]) / weight};
            Moments<std::uint8_t, false> kernel(block.two_classes.data(), nullptr, mean, totals.weight);
            return best(kernel, to_gain);
        }
        case CutKernel::moments: {
            if (!weights) {
                const double to_gain = target.unit * target.unit;
                const std::int64_t whole = totals.sum() / totals.rows;
                const ScaledMean mean{0, whole, static_cast<double>(totals.sum() - whole * totals.rows) / weight};
                Moments<std::int64_t, false> kernel(block.sums.data(), nullptr, mean, totals.weight);
                return best(kernel, to_gain);
            }
            const ScaledMean mean = s.scaled_mean(totals);
            const double to_gain = target.unit * target.unit * mean.unit_of_squares();
            Moments<std::int64_t, true> kernel(block.sums.data(), weights, mean, totals.weight);
            return best(kernel, to_gain);
        }
        case CutKernel::squares: {
            constexpr std::int64_t NARROW = 46340;  // its square is below 2^31
            const double to_gain = (s.is_gini ? 1.0 : 0.5) / weight;
            const auto run_squares = [&]<class Sum, bool Weighted>(Squares<Sum, Weighted> kernel) {
                return best(kernel, to_gain);
            };
            const ClassRows rows{block.classes.data(), weights, scratch.counts};
            if (weights)
                return run_squares(Squares<std::int64_t, true>(rows, totals.cell, totals.weight, totals.squares));
            if (totals.weight > NARROW)
                return run_squares(Squares<std::int64_t, false>(rows, totals.cell, totals.weight, totals.squares));
            return run_squares(Squares<std::int32_t, false>(rows, totals.cell, totals.weight, totals.squares));
        }
        case CutKernel::logs: {
            const double to_gain = 1.0 / weight;
            const LogTable& table = s.logs(totals.weight);
            const XLogs logs{table.values.data(), table.unit};
            const ClassRows rows{block.classes.data(), weights, scratch.counts};
            if (!weights) {
                Logs<false> kernel(rows, totals.cell, totals.weight, logs);
                return best(kernel, to_gain);
            }
            Logs<true> kernel(rows, totals.cell, totals.weight, logs);
            return best(kernel, to_gain);
        }
        default: {
            const double mean = s.statistic.is_class() ? 0.0 : s.mean_target(totals);
            CellScores kernel(s.statistic, *s.criterion, block.targets(),
                              {totals.cell, unknown, mean, scratch.missing.own});
            return best(kernel, 1.0);
        }
    }
}

}  // namespace hornbeam
