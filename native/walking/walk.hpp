// Walker: rows to leaves, the compiled counterpart of tree/reference_walk.py. It is built once and then only read.
//
//   compact   trees of binary cuts and small maps, eight rows in parallel (compact.hpp)
//   general   all five encodings, surrogates, policies for missing and unseen values; one row after the other
//
// If a missing or unseen value has no fixed branch, the compact loop marks the row and the general loop walks it again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.hpp"
#include "walking/compact.hpp"
#include "walking/nodes.hpp"

namespace hornbeam {

class Walker {
  public:
    // Checks every index; throws std::invalid_argument if one is out of range.
    explicit Walker(const TreeArrays& tree) : nodes_(tree), compact_(nodes_) {}

    const NodeTable& nodes() const noexcept { return nodes_; }
    const CompactTree& compact() const noexcept { return compact_; }
    // The columns that some question uses, ascending: `walk` takes these columns in this order.
    const std::vector<std::int32_t>& columns() const noexcept { return nodes_.questions().columns(); }
    // The number of levels of each of these columns, 0 for numeric ones.
    const std::vector<std::int32_t>& n_levels() const noexcept { return nodes_.questions().n_levels(); }
    std::size_t size() const noexcept { return nodes_.size(); }

    // The node where each row ends, or ~node if it is distributed over the branches of that node. `has_unseen` (may be
    // null) marks rows with a level that has no branch. Returns the first row that the policy `error` rejects, or -1.
    std::int64_t walk(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop,
                      std::int32_t* nodes, std::uint8_t* has_unseen) const;

    // Whether the rows of a row-major matrix can be walked in place: every node tests one cut of a numeric column and
    // has a branch for missing values.
    bool takes_rows() const noexcept;
    // The node where each row of a row-major matrix ends. False if a value is infinite; `nodes` is then undefined.
    template <class T>
    bool walk_rows(const T* cells, std::int64_t n_rows, std::int64_t width, int threads, Stop& stop,
                   std::int32_t* nodes) const;

  private:
    std::int64_t walk_block(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::int32_t* nodes,
                            std::uint8_t* has_unseen) const;

    NodeTable nodes_;
    CompactTree compact_;
};

}  // namespace hornbeam
