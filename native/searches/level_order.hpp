// The order of levels by a key, such as their mean target. Keys that differ by rounding alone are equal.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// Ascending by key. Neighbors closer than SAME_SCORE of the range of all keys, or of `scale` if that is larger, are
// equal; equal ones keep the order of their codes. Without a scale the range of equal keys would be rounding alone.
inline std::vector<int> in_order(const std::vector<double>& keys, double scale) {
    std::vector<int> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    if (order.empty()) return order;
    const double gap = SAME_SCORE * std::max(keys[order.back()] - keys[order.front()], scale);
    for (std::size_t begin = 0, end = 1; begin < order.size(); begin = end++) {
        while (end < order.size() && !(keys[order[end]] - keys[order[end - 1]] > gap)) ++end;
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return order;
}

}  // namespace hornbeam
