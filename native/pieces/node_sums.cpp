#include "pieces/node_sums.hpp"

#include <algorithm>

namespace hornbeam {

void NodeSums::start(const std::vector<std::int32_t>& used) {
    used_ = used;
    cells_.clear();
    size_ = 0;
    for (const std::int32_t column : used_) {
        start_[column] = size_;
        size_ += 2 * (columns_.table.columns[column].n_bins + std::size_t{1});
    }
}

std::int64_t NodeSums::cells_per_node() const {
    std::size_t size = 0;
    for (const std::int32_t column : used_) size += 2 * columns_.bin_of[column].size();
    return static_cast<std::int64_t>(size);
}

void NodeSums::take(std::int32_t node, const std::int64_t*& from) {
    if (node >= static_cast<std::int32_t>(cells_.size())) cells_.resize(node + 1);
    std::vector<std::int64_t>& cells = cells_[node];
    cells.assign(size_, 0);
    for (const std::int32_t column : used_) {
        std::int64_t* to = cells.data() + start_[column];
        for (const std::uint32_t bin : columns_.bin_of[column]) {
            to[2 * std::size_t{bin}] += from[0];
            to[2 * std::size_t{bin} + 1] += from[1];
            from += 2;
        }
    }
}

void NodeSums::pass_on(std::int32_t node, std::int32_t to, std::int32_t other) {
    if (to >= static_cast<std::int32_t>(cells_.size())) cells_.resize(to + 1);
    cells_[to] = std::move(cells_[node]);
    subtract(cells_[to].data(), cells_[other].data(), size_);
}

void NodeSums::keep_largest(const GradientTree& tree, std::int64_t n) {
    std::vector<std::int32_t> held;
    for (std::size_t at = 0; at < cells_.size(); ++at)
        if (!cells_[at].empty()) held.push_back(static_cast<std::int32_t>(at));
    std::stable_sort(held.begin(), held.end(),
                     [&](std::int32_t a, std::int32_t b) { return tree.nodes[a].gain > tree.nodes[b].gain; });
    for (std::size_t i = static_cast<std::size_t>(n); i < held.size(); ++i) release(held[i]);
}

}  // namespace hornbeam
