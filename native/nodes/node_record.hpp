// NodeRecord: a node during growth in one cache line, and the arrays written from it. Trees of forests use it directly;
// other trees extend it (Record in nodes/node.hpp).
#pragma once

#include <cstdint>

#include "nodes/plan.hpp"

namespace hornbeam {

struct NodeRecord {
    std::int32_t first_child = -1;
    std::int32_t column = -1;    // of the question, if it is about one column
    std::int64_t rows : 56 = 0;  // leaves one byte for the reason
    Reason reason = Reason::none;
    std::int64_t weight = 0, sum = 0;  // in units; sum: of the targets (regression)
    double spread = 0.0, impurity = 0.0, gain = 0.0, cut = 0.0;

    bool is_leaf() const { return first_child < 0; }
};

// Appends a node to the arrays that are independent of its question.
inline void append_node(const NodeRecord& node, const Target& target, NodeArrays& out) {
    out.first_child.push_back(node.first_child);
    out.reason.push_back(static_cast<std::int8_t>(node.is_leaf() ? node.reason : Reason::none));
    out.rows.push_back(node.rows);
    out.weight.push_back(static_cast<double>(node.weight) * target.weight_unit);
    out.impurity.push_back(node.impurity);
    out.gain.push_back(node.is_leaf() ? 0.0 : node.gain);
}

// Appends the statistics of the last node: the weight of each class, or weight, mean and spread.
inline void append_class_weights(const std::int64_t* weights, const Target& target, NodeArrays& out) {
    for (int k = 0; k < target.n_classes; ++k)
        out.stats.push_back(static_cast<double>(weights[k]) * target.weight_unit);
}
inline void append_moments(double mean, double spread, NodeArrays& out) {
    out.stats.insert(out.stats.end(), {out.weight.back(), mean, spread});
}

}  // namespace hornbeam
