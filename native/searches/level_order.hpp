// The order of levels or questions by a key, such as mean target or score. Keys that differ only by rounding are equal.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// Ascending by key. Neighbors whose distance is at most `gap_of(range of all keys)` are equal and keep their order.
template <class Gap>
std::vector<int> in_order_by_gap(const std::vector<double>& keys, const Gap& gap_of) {
    std::vector<int> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    if (order.empty()) return order;
    const double gap = gap_of(keys[order.back()] - keys[order.front()]);
    for (std::size_t begin = 0, end = 1; begin < order.size(); begin = end++) {
        while (end < order.size() && !(keys[order[end]] - keys[order[end - 1]] > gap)) ++end;
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return order;
}

// Levels by key: the gap is SAME_SCORE times the range of all keys, or times `scale` if that is larger, because the
// range of equal keys is rounding.
inline std::vector<int> in_order(const std::vector<double>& keys, double scale) {
    return in_order_by_gap(keys, [&](double range) { return SAME_SCORE * std::max(range, scale); });
}

// Scores, best first; neighbors within the tolerance of scores are equal.
inline std::vector<int> best_first(std::vector<double> scores, double tolerance) {
    for (double& score : scores) score = -score;
    return in_order_by_gap(scores, [&](double) { return tolerance; });
}

}  // namespace hornbeam
