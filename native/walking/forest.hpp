// ForestWalker: sums of the predictions of many trees. A block of rows is walked down one tree after the other, so that
// the nodes of a tree stay in the cache while the block uses them.
//
//   coded       every value of the block is converted once, for all trees, to a code: the number of cuts of its column
//               below it. A node then takes 8 bytes, a test compares small integers, and the codes of a block stay in
//               the L1 cache. Nodes that test a set of levels have a 64-bit mask in addition.
//   separately  a tree with other questions, or one whose missing values depend on other columns if the block has
//               missing values, is walked by its own Walker.
//
// The values of the trees are added in tree order for every row, so any number of threads gives the same sums.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "walking/blocks.hpp"
#include "walking/values.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

// The bit in the column of a node that marks a test by a mask of levels.
template <class Code>
inline constexpr std::uint32_t MASK_BIT = std::uint32_t{1} << (8 * sizeof(Code) - 1);

template <class Code>
inline constexpr Code NEVER = std::numeric_limits<Code>::max();  // above all codes of cuts

struct CodedNode {
    std::uint16_t code;  // goes right if the code of the row is above it
    // Twice the index among the columns in use, plus 1 if missing values go right; highest bit: mask of levels.
    std::uint16_t column;
    std::int32_t child;  // a leaf is its own child
};
struct WideCodedNode {
    std::uint32_t code, column;
    std::int32_t child;
};

// One tree of the forest.
struct ForestTree {
    std::int64_t first = 0;         // index of its first node
    std::int64_t size = 0;          // number of nodes
    std::int64_t values_at = 0;     // offset in `values`; votes: in `labels`
    std::int64_t value_row_at = 0;  // several values per node: offset in `value_row`
    std::int64_t per_node = 1;      // values per node
    std::int32_t steps = 0;         // length of the longest path if it is not much longer than the mean path, else 0
    std::int32_t output = 0;        // index of a single value in the output
    double weight = 1.0;
    bool is_vote = false;
    bool is_coded = false;
    bool takes_missing = false;  // every node has a fixed branch for missing and unseen values
    bool has_masks = false;
    std::unique_ptr<Walker> walker;  // if the coded loop cannot walk all rows
    std::vector<double> own_values;  // values of its nodes, for fractional rows
};

// The layout of all trees.
struct ForestLayout {
    std::int64_t width;
    std::vector<std::int32_t> n_levels, used;
    std::vector<ForestTree> trees;
    std::vector<double> values;                // multiplied by the weight of the tree
    std::vector<std::int32_t> value_row;       // several values per node: index of the row of values of each node
    std::vector<std::int32_t> labels;          // votes: the class of each node
    std::vector<std::uint64_t> masks, unseen;  // per node, if some has a mask: levels that go right, unseen levels
    std::vector<std::vector<double>> cuts;     // per column in use, ascending
    std::vector<CodedNode> nodes;
    std::vector<WideCodedNode> wide;  // used if a column has more cuts than 16 bits can count
    bool is_wide = false, has_masks = false;
};

// What a tree adds for a row that ends at a node: `width` values per node, or one value per node that is added to
// `output`. If there are labels, a row adds 1 to its predicted class: the label of the node, or the class of the
// largest value if the row is fractional. Everything is multiplied by `weight`.
struct TreeValues {
    std::span<const double> values, labels;
    std::int32_t output = 0;
    double weight = 1.0;
};

// Marks of rows; both may be null.
struct RowMarks {
    std::uint8_t* fractional = nullptr;
    std::uint8_t* has_unseen = nullptr;
};

class ForestWalker {
  public:
    // `width` values are added per row; the columns are those of the table, with n_levels = 0 for numeric ones.
    ForestWalker(std::int64_t width, std::vector<std::int32_t> n_levels) {
        layout_.width = width;
        layout_.n_levels = std::move(n_levels);
    }
    ForestWalker(ForestWalker&&) = default;
    ForestWalker(const ForestWalker&) = delete;

    // Reserves memory for the given number of nodes of all trees together.
    void expect(std::int64_t n_nodes);
    void add(const TreeArrays& tree, const TreeValues& values);
    // Builds the layout; no tree can be added afterwards.
    void finish();

    const std::vector<std::int32_t>& n_levels() const noexcept { return layout_.n_levels; }
    // The columns that some tree uses, ascending.
    const std::vector<std::int32_t>& columns() const noexcept { return layout_.used; }
    std::int64_t width() const noexcept { return layout_.width; }

    // Adds the values of the trees to `out` (rows, width). `columns` has all columns of the table; only those in use
    // need data. Returns the first row that the policy `error` rejects, or -1.
    std::int64_t add_up(std::span<const WalkColumn> columns, std::int64_t n_rows, Run run, double* out,
                        RowMarks marks) const;

  private:
    ForestLayout layout_;
    std::vector<CompactNode> compact_;  // of all coded trees until `finish`; columns are the table's
};

}  // namespace hornbeam
