// Which kernel scores the cuts of a node?  Made from the node's totals and handed to `run`; its score times `to_gain`
// is the gain.
#pragma once

#include "growing/search.hpp"
#include "searches/cut_kernels.hpp"

namespace hornbeam {

template <class Run>
Cut ColumnSearch::with_kernel(const AnyBlock& block, const Totals& totals, double unknown, Scratch& scratch,
                              double& to_gain, const Run& run) const {
    const Target& target = plan_.target;
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    const auto weight = static_cast<double>(totals.weight);
    switch (kernel_) {
        case Kernel::two_classes: {
            to_gain = is_gini_ ? 2.0 : 1.0;
            const ScaledMean mean{.rest = static_cast<double>(totals.counts[1]) / weight};
            Moments<std::uint8_t, false> kernel(block.two_classes.data(), nullptr, mean, totals.weight);
            return run(kernel);
        }
        case Kernel::moments: {
            if (!weights) {
                to_gain = target.unit * target.unit;
                const std::int64_t whole = totals.sum / totals.rows;
                const ScaledMean mean{0, whole, static_cast<double>(totals.sum - whole * totals.rows) / weight};
                Moments<std::int64_t, false> kernel(block.sums.data(), nullptr, mean, totals.weight);
                return run(kernel);
            }
            const ScaledMean mean = scaled_mean(totals);
            to_gain = target.unit * target.unit * mean.unit_of_squares();
            Moments<std::int64_t, true> kernel(block.sums.data(), weights, mean, totals.weight);
            return run(kernel);
        }
        case Kernel::squares: {
            constexpr std::int64_t NARROW = 46340;  // its square is below 2^31
            to_gain = (is_gini_ ? 1.0 : 0.5) / weight;
            const auto run_squares = [&]<class Sum, bool Weighted>(Squares<Sum, Weighted> kernel) {
                return run(kernel);
            };
            const std::uint16_t* classes = block.classes.data();
            if (weights)
                return run_squares(Squares<std::int64_t, true>(classes, weights, totals.counts, totals.weight,
                                                               totals.squares, scratch.counts));
            if (totals.weight > NARROW)
                return run_squares(Squares<std::int64_t, false>(classes, nullptr, totals.counts, totals.weight,
                                                                totals.squares, scratch.counts));
            return run_squares(Squares<std::int32_t, false>(classes, nullptr, totals.counts, totals.weight,
                                                            totals.squares, scratch.counts));
        }
        case Kernel::logs: {
            to_gain = 1.0 / weight;
            const LogTable& logs = this->logs(totals.weight);
            const std::uint16_t* classes = block.classes.data();
            if (!weights) {
                Logs<false> kernel(classes, nullptr, totals.counts, totals.weight, logs.values.data(), logs.unit,
                                   scratch.counts);
                return run(kernel);
            }
            Logs<true> kernel(classes, weights, totals.counts, totals.weight, logs.values.data(), logs.unit,
                              scratch.counts);
            return run(kernel);
        }
        default: {
            std::vector<std::int64_t> sums = totals.counts;
            if (!target.is_class()) sums = {totals.weight, totals.sum};
            AnyCriterion kernel(*criterion_,
                                {target.is_class() ? block.classes.data() : nullptr,
                                 target.is_class() ? nullptr : block.sums.data(), weights},
                                sums, factor_, unknown, target.is_class() ? 0.0 : mean_target(totals),
                                scratch.holes.own);
            return run(kernel);
        }
    }
}

}  // namespace hornbeam
