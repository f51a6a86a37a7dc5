// The rows of a piece in the order of the nodes of a tree on codes: the rows of every node are contiguous.
#pragma once

#include <cstdint>
#include <vector>

#include "pieces/coded_tree.hpp"

namespace hornbeam {

struct RowRange {
    std::int32_t begin = -1, end = -1;  // -1: not known
    bool is_known() const { return begin >= 0; }
    std::int32_t size() const { return end - begin; }
};

class NodeRows {
  public:
    // The first n rows of the list are those of the root.
    void start(std::uint32_t* rows, std::int32_t n);
    std::span<const std::uint32_t> rows() const { return {rows_, static_cast<std::size_t>(n_)}; }
    // Divides the rows of all nodes that have children without rows, parents first.
    void divide(const CodedTree& tree, const std::vector<PieceCodes>& codes, const std::vector<std::uint32_t>& n_codes);
    std::span<const std::uint32_t> rows_of(std::int32_t node) const {
        return {rows_ + ranges_[node].begin, static_cast<std::size_t>(ranges_[node].size())};
    }
    // The rows at which a complete tree ends; nodes below were only tried.
    std::vector<std::int32_t> ends(const CodedTree& tree) const;

  private:
    std::uint32_t* rows_ = nullptr;
    std::int32_t n_ = 0;
    std::vector<RowRange> ranges_;
};

}  // namespace hornbeam
