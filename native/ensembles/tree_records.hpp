// TreeRecords: the nodes of a tree of a forest while it grows, in memory that is reused for the next tree. Nodes are
// stored in their final order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nodes/node_record.hpp"

namespace hornbeam {

struct TreeRecords {
    int n_classes = 0;        // 0: regression
    std::size_t n_nodes = 0;  // `nodes` may be longer
    std::vector<NodeRecord> nodes;
    std::vector<std::int64_t> counts;  // the weight of each class, per node

    // Adds n nodes and returns the index of the first one. The capacity doubles when it is exceeded.
    std::int32_t add(std::int32_t n) {
        const std::size_t first = n_nodes;
        n_nodes += n;
        if (n_nodes > nodes.size()) {
            nodes.resize(2 * n_nodes);
            counts.resize(nodes.size() * n_classes);
        }
        std::fill_n(nodes.begin() + first, n, NodeRecord{});
        std::fill_n(counts.begin() + first * n_classes, static_cast<std::size_t>(n) * n_classes, 0);
        return static_cast<std::int32_t>(first);
    }

    NodeRecord* children(const NodeRecord& node) { return nodes.data() + node.first_child; }
    std::int64_t* counts_of(const NodeRecord& node) { return counts.data() + (&node - nodes.data()) * n_classes; }

    // Sets the sums of one child: those of the node minus those of the other child, whose index is `known`.
    void set_other_child(const NodeRecord& node, int known) {
        NodeRecord &known_child = children(node)[known], &other_child = children(node)[1 - known];
        other_child.weight = node.weight - known_child.weight;
        other_child.sum = node.sum - known_child.sum;
        const std::int64_t *node_counts = counts_of(node), *known_counts = counts_of(known_child);
        std::int64_t* other_counts = counts_of(other_child);
        for (int k = 0; k < n_classes; ++k) other_counts[k] = node_counts[k] - known_counts[k];
    }

    // Whether a node is pure, if this follows from its sums.
    bool is_known_pure(const NodeRecord& node) {
        bool is_pure = n_classes == 0 && node.rows == 1;
        const std::int64_t* of_class = counts_of(node);
        for (int k = 0; k < n_classes; ++k) is_pure |= of_class[k] == node.weight;
        return is_pure;
    }
};

}  // namespace hornbeam
