// The order of levels by a key, such as their mean target. Keys that differ by rounding alone are equal.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// Ascending by key. Neighbours closer than SAME_SCORE of the range of all keys are equal, and equal ones keep the order
// of their codes.
inline std::vector<int> in_order(const std::vector<double>& keys) {
    std::vector<int> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    if (order.empty()) return order;
    const double gap = SAME_SCORE * (keys[order.back()] - keys[order.front()]);
    for (std::size_t begin = 0, end = 1; begin < order.size(); begin = end++) {
        while (end < order.size() && !(keys[order[end]] - keys[order[end - 1]] > gap)) ++end;
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return order;
}

}  // namespace hornbeam
