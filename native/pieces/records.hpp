// The records of a split, and its children.
#pragma once

#include "growing/node_records.hpp"
#include "pieces/node_search.hpp"

namespace hornbeam {

// Records the split of a node and adds the records of its children; returns the first of them.
inline std::int32_t write_split(const PieceNode& node, const NodeSearch& search, Fragment& fragment) {
    const auto first = static_cast<std::int32_t>(fragment.records.size());
    RowPartition rows;
    rows.missing_branch = node.missing_branch;
    record_split(fragment, node, rows, first, search.job());
    fragment.records.resize(fragment.records.size() + node.best.n_branches);
    return first;
}

// The children of a node that is split, with the sums that its question gives them.
inline std::vector<PieceNode> children_of(const PieceNode& node, std::int32_t first, bool finishes_column) {
    std::vector<PieceNode> children(node.best.n_branches);
    for (std::size_t b = 0; b < children.size(); ++b) {
        PieceNode& child = children[b];
        child.record = first + static_cast<std::int32_t>(b);
        child.depth = node.depth + 1;
        child.id = child_id(node.id, b);
        child.n_asked = node.n_asked + finishes_column;
        child.totals = node.branches[b];
        child.totals.id = child.id;
    }
    return children;
}

// The columns that the children of a node may use.
inline std::vector<std::int32_t> columns_below(const PieceNode& node, bool finishes_column) {
    std::vector<std::int32_t> active = node.active;
    if (finishes_column) std::erase(active, node.best.column);
    return active;
}

}  // namespace hornbeam
