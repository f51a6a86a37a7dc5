// The children of a split while their sums are requested.
#pragma once

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

}  // namespace hornbeam
