// At which alpha does each node collapse?  The weakest-link sequence of cost-complexity pruning in O(nodes log nodes).
// The twin in plain Python, which explains the method, is parts/prunings/weakest_links.py.
#pragma once

#include <cstdint>
#include <span>

namespace hornbeam {

// Fills, for every inner node, its own alpha, the leaves lost and the risk gained when it collapses; NaN and 0 at
// leaves. A parent stands before its children, which stand side by side from first_child on (-1 at leaves).
void weakest_links(std::span<const std::int32_t> first_child, std::span<const std::int32_t> n_branches,
                   std::span<const double> risk, std::span<double> own, std::span<std::int64_t> lost,
                   std::span<double> gained);

}  // namespace hornbeam
