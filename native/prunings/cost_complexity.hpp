// The weakest-link sequence of cost-complexity pruning (the alpha at which each node collapses) in O(n log n) for n
// nodes. The reference implementation, which explains the method, is parts/prunings/machinery/weakest_links.py.
#pragma once

#include <cstdint>
#include <span>

namespace hornbeam {

// Fills, for every inner node, its own alpha, the number of leaves lost and the risk gained when it collapses; NaN and
// 0 at leaves. A parent has a lower index than its children, which are adjacent from first_child on (-1 at leaves).
void weakest_links(std::span<const std::int32_t> first_child, std::span<const std::int32_t> n_branches,
                   std::span<const double> risk, std::span<double> own, std::span<std::int64_t> lost,
                   std::span<double> gained);

}  // namespace hornbeam
