// The order of the rows of a node by target, for quantiles.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "nodes/node.hpp"

namespace hornbeam {

// The ranks of the targets of all rows of the table.
struct TargetRanks {
    std::vector<std::uint32_t> rank;  // per row; empty if no quantile is needed
    double fine_unit = 1.0;           // unit of the targets in fixed point if rows have weights
};

TargetRanks ranked_targets(const Plan& plan);

// Sorts the rows of a node by target; sets its prediction, risk and order as the plan requires.
void order_targets(const Plan& plan, const TargetRanks& targets, const NodeSlice& node, Totals& totals);

// Calls use() with std::true_type or std::false_type.
template <class Use>
void with_peel(bool is_weighted, const Use& use) {
    if (is_weighted)
        use(std::true_type());
    else
        use(std::false_type());
}

}  // namespace hornbeam
