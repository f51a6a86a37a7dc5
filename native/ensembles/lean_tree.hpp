// LeanTree: the nodes of a tree of a forest while it grows, in memory that is used again. Nodes are written in their
// final order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nodes/stop_rules.hpp"

namespace hornbeam {

// One line of the cache.
struct LeanNode {
    std::int32_t first_child = -1, column = -1, rows = 0;
    Reason reason = Reason::none;
    std::int64_t weight = 0, sum = 0;
    double spread = 0.0, impurity = 0.0, gain = 0.0, cut = 0.0;
};

struct LeanTree {
    int n_classes = 0;        // 0: the target is a number
    std::size_t n_nodes = 0;  // there may be room for more
    std::vector<LeanNode> nodes;
    std::vector<std::int64_t> counts;  // the weight of each class, node by node

    // Returns the first of so many new nodes. There is room for as many again, so that room is seldom made.
    std::int32_t add(std::int32_t n) {
        const std::size_t first = n_nodes;
        n_nodes += n;
        if (n_nodes > nodes.size()) {
            nodes.resize(2 * n_nodes);
            counts.resize(nodes.size() * n_classes);
        }
        std::fill_n(nodes.begin() + first, n, LeanNode{});
        std::fill_n(counts.begin() + first * n_classes, static_cast<std::size_t>(n) * n_classes, 0);
        return static_cast<std::int32_t>(first);
    }

    LeanNode* children(const LeanNode& node) { return nodes.data() + node.first_child; }
    std::int64_t* counts_of(const LeanNode& node) { return counts.data() + (&node - nodes.data()) * n_classes; }

    // The sums of the other child are what the known one does not have of the node.
    void set_other_child(const LeanNode& node, int known) {
        LeanNode &of = children(node)[known], &other = children(node)[1 - known];
        other.weight = node.weight - of.weight;
        other.sum = node.sum - of.sum;
        const std::int64_t *whole = counts_of(node), *part = counts_of(of);
        std::int64_t* rest = counts_of(other);
        for (int k = 0; k < n_classes; ++k) rest[k] = whole[k] - part[k];
    }

    // Whether a node needs no look at its rows to be known as pure.
    bool is_plainly_pure(const LeanNode& node) {
        bool is_pure = n_classes == 0 && node.rows == 1;
        const std::int64_t* of_class = counts_of(node);
        for (int k = 0; k < n_classes; ++k) is_pure |= of_class[k] == node.weight;
        return is_pure;
    }
};

}  // namespace hornbeam
