// The rows of a node in the order of their targets, for quantiles.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "nodes/node.hpp"

namespace hornbeam {

// The targets of all rows of the table.
struct TargetRanks {
    std::vector<std::uint32_t> rank;  // of every row; empty where no quantile is needed
    double fine_unit = 1.0;           // of the targets in fixed point where rows have weights
};

TargetRanks ranked_targets(const Plan& plan);

// Puts the rows of a node in the order of their targets; sets its answer, its risk and its order as the plan requires.
void order_targets(const Plan& plan, const TargetRanks& targets, const NodeSlice& node, Totals& totals);

// Calls use with std::true_type or std::false_type.
template <class Use>
void with_peel(bool is_weighted, const Use& use) {
    if (is_weighted)
        use(std::true_type());
    else
        use(std::false_type());
}

}  // namespace hornbeam
