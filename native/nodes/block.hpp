// The rows of nodes in memory. A block holds some rows of the table with everything a search needs, packed: the target,
// a row list, and for every column still in use its sorted list, its codes, or a list of the rows that do not have the
// commonest code. A node of the block is one range [begin, end) of the row list and of every sorted list, and a span of
// its own of every sparse list; splitting a node is a stable partition of these. When a node has become small its rows
// move into a block of their own, with 16-bit row numbers and ranks that stay in the cache.
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

// A block whatever the width of its entries.
class AnyBlock {
  public:
    virtual ~AnyBlock() = default;
    std::int32_t n_rows = 0;
    std::vector<std::uint32_t> row_of;  // the table's row of every local row
    std::vector<std::uint32_t> order;   // local rows; a node is a range of it, ascending inside
    std::vector<std::uint8_t> two_classes;
    std::vector<std::uint16_t> classes;
    std::vector<std::int64_t> sums, weights;  // sums: of every number of a row
    std::vector<bool> has_list;               // of every column: a sorted list
    std::vector<bool> is_sparse;              // of every column
    std::vector<Codes> codes;
    std::vector<std::uint8_t> right;         // the branch of every row while its node is split in two,
    std::vector<std::uint16_t> branch;       // or in many
    std::vector<std::uint32_t> target_rank;  // quantiles: of every row, by its number among those of its node
    bool is_wide = false;                    // 64-bit entries
    virtual std::int32_t list_size(std::int32_t column) const = 0;
    std::int64_t weight_of(std::uint32_t row) const { return weights.empty() ? 1 : weights[row]; }
    RowTargets targets() const { return {classes.data(), sums.data(), weights.empty() ? nullptr : weights.data()}; }
};

template <class Entry>
class Block final : public AnyBlock {
  public:
    using EntryType = Entry;
    std::vector<std::vector<Entry>> lists;  // of every column, sorted or sparse; empty for one kept as codes
    Entry* list(std::int32_t column) { return lists[column].data(); }
    const Entry* list(std::int32_t column) const { return lists[column].data(); }
    std::int32_t list_size(std::int32_t column) const override {
        return static_cast<std::int32_t>(lists[column].size());
    }
};

// Calls use(typed) with the block as what it is: `Block<std::uint32_t>&` or `Block<std::uint64_t>&`.
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

// How many of the first n entries of a node's list have a value: those without stand last.
template <class Entry>
std::int32_t known_entries(const Entry* list, std::int32_t n) {
    const auto is_known = [](Entry e) { return rank_of(e) != NO_RANK<Entry>; };
    if (n == 0 || is_known(list[n - 1])) return n;
    return static_cast<std::int32_t>(std::partition_point(list, list + n, is_known) - list);
}

inline constexpr std::int32_t SMALL_BLOCK = 65535;  // rows whose ranks 16 bits can number, NO_RANK left free
inline constexpr std::int32_t TINY_BLOCK = 4096;    // rows whose data stay in the innermost cache

// The block of the whole table. It takes over the columns' lists and codes one by one, so that they are never held
// twice.
std::shared_ptr<AnyBlock> whole_block(const Plan& plan, std::vector<ReadyColumn>& columns);

// A block of its own for the rows of a node, or none when the node should stay where it is; `spans` of the active
// columns become those in the new block.
std::shared_ptr<AnyBlock> own_block(const NodeSlice& node, const std::vector<std::int32_t>& active,
                                    std::vector<Span>& spans);

// A block of wide entries broken up into blocks of its nodes, small ones, column by column: so a list is never held
// twice, and what is left is half as large.
class BlockSplitter {
  public:
    explicit BlockSplitter(std::vector<Open*> nodes);  // all that are left of the block
    void move_column(std::int32_t column);             // of all columns, in any order; different ones at the same time
    void finish();

  private:
    std::vector<Open*> nodes_;
    std::shared_ptr<AnyBlock> from_;
    std::vector<std::shared_ptr<Block<std::uint32_t>>> made_;  // of every node
    std::vector<std::uint32_t> local_;                         // of every row: its number there
};

}  // namespace hornbeam
