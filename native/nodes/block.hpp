// Block: rows of the table in memory, with everything that a search reads: the target, a row list, and for each column
// in use its sorted list, its codes, or (sparse) a list of the rows that do not have the most common code. A node is a
// range [begin, end) of the row list and of every sorted list, and a span of every sparse list; a split is a stable
// partition of these. Rows of small nodes move to new blocks with 16-bit row indices and ranks, which stay in the
// cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/data.hpp"
#include "nodes/node.hpp"
#include "searches/cut_kernels.hpp"
#include "statistics/statistic.hpp"

namespace hornbeam {

// A block with entries of any width.
class AnyBlock {
  public:
    virtual ~AnyBlock() = default;
    std::int32_t n_rows = 0;
    std::vector<std::uint32_t> row_of;  // the row of the table of each local row
    std::vector<std::uint32_t> order;   // local rows; a node is a range, ascending
    std::vector<std::uint8_t> two_classes;
    std::vector<std::uint16_t> classes;
    std::vector<std::int64_t> sums, weights;  // sums: one per number of a row
    std::vector<bool> has_list;               // per column: whether it has a sorted list
    std::vector<bool> is_sparse;              // per column
    std::vector<Codes> codes;
    std::vector<std::uint8_t> right;         // the branch of each row while its node is split in two,
    std::vector<std::uint16_t> branch;       // or in several
    std::vector<std::uint32_t> target_rank;  // quantiles: the rank of each row's target in its node
    bool is_wide = false;                    // 64-bit entries
    virtual std::int32_t list_size(std::int32_t column) const = 0;
    std::int64_t weight_of(std::uint32_t row) const { return weights.empty() ? 1 : weights[row]; }
    RowTargets targets() const { return {classes.data(), sums.data(), weights.empty() ? nullptr : weights.data()}; }
};

template <class Entry>
class Block final : public AnyBlock {
  public:
    using EntryType = Entry;
    std::vector<std::vector<Entry>> lists;  // per column, sorted or sparse; empty if stored as codes
    Entry* list(std::int32_t column) { return lists[column].data(); }
    const Entry* list(std::int32_t column) const { return lists[column].data(); }
    std::int32_t list_size(std::int32_t column) const override {
        return static_cast<std::int32_t>(lists[column].size());
    }
};

// Calls use(typed) with the block as its own type: `Block<std::uint32_t>&` or `Block<std::uint64_t>&`.
template <class Use>
decltype(auto) with_entries(AnyBlock& block, const Use& use) {
    if (block.is_wide) return use(static_cast<Block<std::uint64_t>&>(block));
    return use(static_cast<Block<std::uint32_t>&>(block));
}
template <class Use>
decltype(auto) with_entries(const AnyBlock& block, const Use& use) {
    if (block.is_wide) return use(static_cast<const Block<std::uint64_t>&>(block));
    return use(static_cast<const Block<std::uint32_t>&>(block));
}

// The number of the first n entries of a node's list that have a value; missing values come last.
template <class Entry>
std::int32_t known_entries(const Entry* list, std::int32_t n) {
    const auto is_known = [](Entry e) { return rank_of(e) != NO_RANK<Entry>; };
    if (n == 0 || is_known(list[n - 1])) return n;
    return static_cast<std::int32_t>(std::partition_point(list, list + n, is_known) - list);
}

inline constexpr std::int32_t SMALL_BLOCK = 65535;  // rows whose ranks fit 16 bits, with NO_RANK unused
inline constexpr std::int32_t TINY_BLOCK = 4096;    // rows whose data fit the L1 cache

// The block of the whole table. It takes the lists and codes of the columns one by one, so that none is stored twice.
std::shared_ptr<AnyBlock> whole_block(const Plan& plan, std::vector<ReadyColumn>& columns);

// A new block for the rows of a node, or null if the node should stay in its block; `spans` of the active columns
// become those in the new block.
std::shared_ptr<AnyBlock> own_block(const NodeSlice& node, const std::vector<std::int32_t>& active,
                                    std::vector<Span>& spans);

// Splits a block of wide entries into a small block per node, column by column: no list is stored twice.
class BlockSplitter {
  public:
    explicit BlockSplitter(std::vector<Open*> nodes);  // all remaining nodes of the block
    void move_column(std::int32_t column);             // once per column, in any order or in parallel
    void finish();

  private:
    std::vector<Open*> nodes_;
    std::shared_ptr<AnyBlock> from_;
    std::vector<std::shared_ptr<Block<std::uint32_t>>> made_;  // per node
    std::vector<std::uint32_t> local_;                         // per row: its index in the new block
};

}  // namespace hornbeam
