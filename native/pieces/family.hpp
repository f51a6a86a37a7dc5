// The children of a split: as they are recorded, and while their sums are requested.
#pragma once

#include "growing/node_records.hpp"
#include "pieces/node.hpp"
#include "pieces/node_search.hpp"
#include "pieces/round_request.hpp"

namespace hornbeam {

// Which children are searched, the slots of those added up from rows (-1: none), and the one whose sums are what is
// left of the parent's.
struct PieceFamily {
    std::shared_ptr<NodeCells> parent;
    std::vector<PieceNode> children;
    std::vector<std::int32_t> active;
    std::vector<char> is_searched;
    std::vector<std::int32_t> slot;
    std::int32_t rest = -1, first_total = -1;
    bool needs_totals = false;

    bool waits() const;
    // Decides which children are added up from rows; `is_whole`: they have all rows of the parent.
    void choose_slots(bool is_whole);
    // Puts its nodes into a request; marks the columns that it needs.
    void add_to(RoundRequest& request, std::vector<char>& is_wanted);
    // The sums of the children per code: from the answer, or what is left of the parent's.
    void take_cells(const RoundRequest& request, const PieceSums& sums);
};

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
