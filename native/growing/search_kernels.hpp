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
            Moments<std::uint8_t, false> kernel(block.two_classes.data(), nullptr, 0, weight,
                                                static_cast<double>(totals.counts[1]) / weight);
            return run(kernel);
        }
        case Kernel::moments: {
            if (!weights) {
                to_gain = target.unit * target.unit;
                const std::int64_t centre = totals.sum / totals.rows;
                Moments<std::int64_t, false> kernel(block.sums.data(), nullptr, centre, weight,
                                                    static_cast<double>(totals.sum - centre * totals.rows) / weight);
                return run(kernel);
            }
            to_gain = target.unit * target.unit;
            Moments<std::int64_t, true> kernel(block.sums.data(), weights, 0, weight,
                                               static_cast<double>(totals.sum) / weight);
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
                                sums, factor_, unknown, weight, scratch.holes.own);
            return run(kernel);
        }
    }
}

}  // namespace hornbeam
