#include "nodes/target_order.hpp"

#include <algorithm>
#include <cmath>

#include "core/ranks.hpp"
#include "nodes/block.hpp"
#include "searches/peel.hpp"

namespace hornbeam {
namespace {

constexpr int FINE_BITS = 60;  // of a target that is multiplied by weights in 128 bits

}  // namespace

TargetRanks ranked_targets(const Plan& plan) {
    TargetRanks out;
    const double* numbers = plan.target.numbers;
    const ReadyColumn ready = ranked(numbers, plan.n_rows, false);
    out.rank.resize(plan.n_rows);
    for (const std::uint64_t word : ready.sorted)
        out.rank[static_cast<std::uint32_t>(word)] = static_cast<std::uint32_t>(word >> 32);
    with_codes(ready.codes, [&](const auto* codes) { std::copy_n(codes, plan.n_rows, out.rank.begin()); });
    double largest = 0;
    for (std::int64_t i = 0; i < plan.n_rows; ++i)
        largest = std::max(largest, std::fabs(numbers[i] - plan.target.origin));
    out.fine_unit = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) + 1 - FINE_BITS) : 1.0;
    return out;
}

void order_targets(const Plan& plan, const TargetRanks& targets, const NodeSlice& node, Totals& totals) {
    if (node.begin == node.end) return;
    const std::int32_t n = node.rows();
    const bool is_weighted = !node.block.weights.empty();
    const double unit = is_weighted ? targets.fine_unit : plan.target.unit;
    std::vector<std::uint64_t> words(n);
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t row = node.block.order[node.begin + i];
        words[i] = static_cast<std::uint64_t>(targets.rank[node.block.row_of[row]]) << 32 | row;
    }
    sort_words(words.data(), n);
    auto order = std::make_shared<TargetOrder>();
    order->values.resize(n);
    order->value_index.resize(n);
    if (is_weighted) order->weights.resize(n);
    for (std::int32_t i = 0; i < n; ++i) {
        const auto row = static_cast<std::uint32_t>(words[i]);
        const double number = plan.target.numbers[node.block.row_of[row]];
        node.block.target_rank[row] = static_cast<std::uint32_t>(i);
        order->values[i] =
            is_weighted ? std::llround((number - plan.target.origin) / targets.fine_unit) : node.block.sums[row];
        if (i == 0 || words[i] >> 32 != words[i - 1] >> 32) {
            order->numbers.push_back(number);
            order->rounded.push_back(static_cast<double>(order->values[i]) * unit);
        }
        order->value_index[i] = static_cast<std::uint32_t>(order->numbers.size() - 1);
        if (is_weighted) order->weights[i] = node.block.weights[row];
    }
    std::vector<PeelLink> links;
    const auto with_quantile = [&](const QuantileRule& rule, const auto& read) {
        with_peel(is_weighted, [&](auto weighted) {
            read(Peel<decltype(weighted)::value>(rule, order->values, order->weights, {}, links));
        });
    };
    if (plan.criterion.leaf_quantile >= 0)
        with_quantile({plan.criterion.leaf_quantile, 1.0},
                      [&](const auto& peel) { totals.prediction = order->numbers[order->value_index[peel.rank()]]; });
    if (plan.criterion.quantile < 0) return;
    with_quantile({plan.criterion.quantile, plan.criterion.scale},
                  [&](const auto& peel) { totals.risk = peel.risk() * unit / static_cast<double>(peel.weight()); });
    totals.order = std::move(order);
}

}  // namespace hornbeam
