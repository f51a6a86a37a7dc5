// CompactTree: a tree whose inner nodes are binary and test one cut of a numeric column or a map of at most 62 levels.
//
// 16 bytes per node, eight rows in parallel. A leaf is its own child, so a row that does not move has reached its leaf.
// A map is a 64-bit mask of the levels that go right (bit 0 unseen, bit 1 missing).
#pragma once

#include <cstdint>
#include <vector>

#include "core/pool.hpp"
#include "walking/nodes.hpp"

namespace hornbeam {

struct CompactNode {
    std::uint64_t test;   // the bits of the cut, or the mask of levels that go right
    std::int32_t column;  // twice the column, plus 1 if missing values go right; ~ of that for a mask
    std::int32_t child;
};

class CompactTree {
  public:
    // Empty if some node of the tree is not of the two kinds, or if the tree is a single leaf.
    explicit CompactTree(const NodeTable& table);

    bool empty() const noexcept { return nodes_.empty(); }
    bool has_masks() const noexcept { return has_masks_; }
    // Whether every node has a fixed branch for missing and unseen values.
    bool takes_missing() const noexcept { return takes_missing_; }
    const std::vector<CompactNode>& nodes() const noexcept { return nodes_; }
    // Per node: the mask of the codes that are unseen there.
    const std::vector<std::uint64_t>& unseen() const noexcept { return unseen_; }

    // Scratch memory of one thread.
    struct Scratch {
        std::vector<const double*> base;
        std::vector<double> codes;
        std::vector<std::uint8_t> deferred;
    };
    // Fills the node of each row of a block, and marks in scratch.deferred the rows with a missing or unseen value
    // whose branch depends on other columns; returns whether there may be any.
    bool walk(const WalkColumn* columns, std::int64_t begin, std::int64_t end, Scratch& scratch, std::int32_t* nodes,
              std::uint8_t* has_unseen) const;
    // Fills the node of each row of a row-major matrix of numbers; `index` has the column of the matrix of each column
    // in use. Every node must have a branch for missing values and no mask.
    template <class T>
    void walk_matrix(const T* rows, std::int64_t n_rows, std::int64_t width, const std::int32_t* index,
                     std::int32_t* nodes) const;

  private:
    bool add(const NodeTable& table, std::int32_t node);
    std::uint64_t mask_of(const NodeTable& table, std::int32_t node, bool& is_possible);
    template <bool Masks, bool Careful, bool Flags, class Cell>
    void loop(const Cell& cell, std::int64_t count, std::int32_t* nodes, std::uint8_t* has_unseen,
              std::uint8_t* deferred) const;

    std::vector<CompactNode> nodes_;
    std::vector<std::uint64_t> unseen_;
    std::vector<std::uint8_t> uses_;  // per column in use: whether a node tests it (surrogates not counted)
    bool has_masks_ = false;
    bool takes_missing_ = true;
};

}  // namespace hornbeam
