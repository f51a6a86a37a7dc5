// ConstantColumns: the columns known to be constant at a node, and therefore at all nodes below it. Sets of columns are
// bit sets. A node shares the set of its parent until another constant column is found. Requires depth-first growth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hornbeam {

class ConstantColumns {
  public:
    explicit ConstantColumns(std::int32_t n_columns) : n_words_((n_columns + 63) / 64) {}

    void start_tree() { sets_.assign(n_words_, 0); }
    // Starts a node with the set at an offset; drops the sets that were added after it, for nodes that are finished.
    void start_node(std::size_t offset) {
        offset_ = offset;
        sets_.resize(offset_ + n_words_);
        is_own_ = false;
    }
    std::size_t offset() const { return offset_; }

    bool has(std::int32_t column) const { return sets_[offset_ + column / 64] >> (column % 64) & 1; }
    std::uint64_t word(std::int32_t i) const { return sets_[offset_ + i]; }
    void add(std::int32_t column) {
        if (!is_own_) {
            const std::size_t from = std::exchange(offset_, sets_.size());
            sets_.resize(offset_ + n_words_);
            std::copy_n(sets_.data() + from, n_words_, sets_.data() + offset_);
            is_own_ = true;
        }
        sets_[offset_ + column / 64] |= std::uint64_t{1} << (column % 64);
    }

  private:
    std::size_t n_words_;
    std::vector<std::uint64_t> sets_;
    std::size_t offset_ = 0;  // of the set of the node
    bool is_own_ = false;     // whether no other node shares that set
};

}  // namespace hornbeam
