// The sums per bin that are held of the nodes of a boosted tree while it is grown from pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "boosting/tree_decisions.hpp"

namespace hornbeam {

// Columns of pieces: how many codes they have there, and which bin each of them is here. Codes that no training row has
// are no bins of their own.
struct PieceColumns {
    BinnedTable table;                               // bins without rows
    std::vector<std::vector<std::uint32_t>> bin_of;  // of every column, of every code, then of missing values
    std::vector<std::int32_t> n_levels;
};

class NodeSums {
  public:
    explicit NodeSums(const PieceColumns& columns) : columns_(columns), start_(columns.bin_of.size(), 0) {}

    // For a tree of these columns.
    void start(const std::vector<std::int32_t>& used);
    // How many numbers a piece adds up for a node.
    std::int64_t cells_per_node() const;
    // Takes the sums of a node, as pieces add them up, and moves on to those of the next one.
    void take(std::int32_t node, const std::int64_t*& from);
    bool holds(std::int32_t node) const { return node < static_cast<int>(cells_.size()) && !cells_[node].empty(); }
    // The sums of a node become those of one child, less those of the other.
    void pass_on(std::int32_t node, std::int32_t to, std::int32_t other);
    void release(std::int32_t node) { cells_[node] = {}; }
    // Keeps the sums of the n nodes of largest gain.
    void keep_largest(const GradientTree& tree, std::int64_t n);
    const std::int64_t* of(std::int32_t node, std::int32_t column) const {
        return cells_[node].data() + start_[column];
    }

  private:
    const PieceColumns& columns_;
    std::vector<std::int32_t> used_;
    std::vector<std::size_t> start_;  // of the cells of every column of the tree
    std::size_t size_ = 0;
    std::vector<std::vector<std::int64_t>> cells_;  // of every node; empty: not held
};

}  // namespace hornbeam
