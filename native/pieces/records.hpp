// The split of a node whose rows are elsewhere, as it is recorded; its children.
#pragma once

#include "growing/node_records.hpp"
#include "pieces/node.hpp"

namespace hornbeam {

// The children of a split with the sums that its question gives them, and the columns that they may use.
struct PieceChildren {
    std::vector<PieceNode> children;
    std::vector<std::int32_t> active;

    // Records the split.
    PieceChildren(const PieceNode& node, const Job& job, Fragment& fragment) : active(node.active) {
        const ColumnUse use = use_of_column(job, node.best);
        if (use.is_done) std::erase(active, node.best.column);
        children = children_from(record_split(fragment, node, node.missing_branch, job), node, use);
        for (std::size_t b = 0; b < children.size(); ++b) {
            children[b].totals = node.branches[b];
            children[b].totals.id = children[b].id;
        }
    }
};

// Why a node of a piece is a leaf whatever its questions would be.
inline Reason early_reason(const Job& job, const PieceNode& node, std::size_t n_columns) {
    return early_reason(job, node, n_columns, [] { return false; });
}

}  // namespace hornbeam
