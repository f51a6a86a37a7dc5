// The nodes that are still to be split, and which of them is split next.
#pragma once

#include <vector>

#include "nodes/scoring.hpp"
#include "pieces/node.hpp"

namespace hornbeam {

struct PieceLimits {
    std::int64_t round_cells = std::int64_t{1} << 25;  // integers in the sums per code of one round
    std::int64_t held_cells = std::int64_t{1} << 26;   // integers that open nodes keep, to be subtracted from
    std::int64_t collected = 0;                        // nodes of at most this many rows are finished from their rows,
    std::int64_t collected_at_once = 0;                // this many rows at once
    int threads = 0;
};

class OpenNodes {
  public:
    OpenNodes(const Scoring& scoring, const PieceLimits& limits) : scoring_(scoring), limits_(limits) {}

    std::size_t count() const { return queue_.size() + small_.size(); }
    bool has_large() const { return !queue_.empty(); }
    // Adds nodes in the order of their branches.
    void add(std::vector<PieceNode>&& nodes);
    // The nodes that are split next: as many as one round has room for, or one where the order matters. A node that
    // the limits of leaves and nodes close gets its reason in `records`.
    std::vector<PieceNode> take(std::vector<Record>& records);
    // Small nodes whose rows are gathered at once.
    std::vector<PieceNode> take_small();

  private:
    friend class GrowerState;
    bool keeps_order() const;
    double priority(const PieceNode& node) const;
    std::vector<PieceNode> take_one(std::vector<Record>& records);
    std::vector<PieceNode> take_level();
    void drop_sums();

    const Scoring& scoring_;
    const PieceLimits& limits_;
    std::vector<PieceNode> queue_, small_;
    std::int64_t leaves_ = 1;
};

}  // namespace hornbeam
