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

#include "walking/walk.hpp"

namespace hornbeam {

// The bit in the column of a node that marks a test by a mask of levels.
template <class Code>
inline constexpr std::uint32_t MASK_BIT = std::uint32_t{1} << (8 * sizeof(Code) - 1);

template <class Code>
inline constexpr Code NEVER = std::numeric_limits<Code>::max();  // above all codes of cuts

class ForestWalker {
  public:
    // `width` values are added per row; the columns are those of the table, with n_levels = 0 for numeric ones.
    ForestWalker(std::int64_t width, std::vector<std::int32_t> n_levels)
        : width_(width), n_levels_(std::move(n_levels)) {}
    ForestWalker(ForestWalker&&) = default;
    ForestWalker(const ForestWalker&) = delete;

    // Reserves memory for the given number of nodes of all trees together.
    void expect(std::int64_t n_nodes);
    // Adds a tree. `values` has `width` values per node, or one value per node that is added to `output`. With
    // `is_vote` a row adds 1 to its predicted class: `labels[node]`, or the class of the largest value if the row is
    // fractional. Everything is multiplied by `weight`.
    void add(const TreeArrays& tree, std::span<const double> values, std::span<const double> labels, bool is_vote,
             std::int32_t output, double weight);
    // Builds the layout; no tree can be added afterwards.
    void finish();

    const std::vector<std::int32_t>& n_levels() const noexcept { return n_levels_; }
    // The columns that some tree uses, ascending.
    const std::vector<std::int32_t>& columns() const noexcept { return used_; }
    std::int64_t width() const noexcept { return width_; }

    // Adds the values of the trees to `out` (rows, width). `columns` has all columns of the table; only those in use
    // need data. `fractional` and `has_unseen` (may be null) mark rows. Returns the first row that the policy `error`
    // rejects, or -1.
    std::int64_t add_up(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop, double* out,
                        std::uint8_t* fractional, std::uint8_t* has_unseen) const;

  private:
    struct Node {
        std::uint16_t code;  // goes right if the code of the row is above it
        // Twice the index among the columns in use, plus 1 if missing values go right; highest bit: mask of levels.
        std::uint16_t column;
        std::int32_t child;  // a leaf is its own child
    };
    struct WideNode {
        std::uint32_t code, column;
        std::int32_t child;
    };
    struct Entry {
        std::int64_t first = 0;         // index of its first node
        std::int64_t size = 0;          // number of nodes
        std::int64_t values_at = 0;     // offset in `values_`; votes: in `labels_`
        std::int64_t value_row_at = 0;  // several values per node: offset in `value_row_`
        std::int64_t per_node = 1;      // values per node
        std::int32_t steps = 0;   // length of the longest path if it is not much longer than the mean path, else 0
        std::int32_t output = 0;  // index of a single value in the output
        double weight = 1.0;
        bool is_vote = false;
        bool is_coded = false;
        bool takes_missing = false;  // every node has a fixed branch for missing and unseen values
        bool has_masks = false;
        std::unique_ptr<Walker> walker;  // if the coded loop cannot walk all rows
        std::vector<double> values;      // values of its nodes, for fractional rows
    };
    struct Scratch;

    std::int32_t index_of(std::int32_t column) const;
    template <class To>
    std::vector<To> coded_nodes();
    template <class Code>
    bool fill_codes(std::span<const WalkColumn> columns, std::int64_t begin, std::int64_t count,
                    Scratch& scratch) const;
    std::int64_t block_rows(std::int64_t n_rows, int threads) const;
    std::int64_t walk_block(std::span<const WalkColumn> columns, std::int64_t begin, std::int64_t count,
                            Scratch& scratch, double* out, std::uint8_t* fractional, std::uint8_t* has_unseen) const;
    std::int64_t walk_separately(const Entry& entry, std::span<const WalkColumn> columns, std::int64_t begin,
                                 std::int64_t count, Scratch& scratch, double* out, std::uint8_t* fractional) const;
    template <class N, class Code>
    void fixed_steps_loop(const N* nodes, const Entry& entry, std::int64_t count, Scratch& scratch) const;
    template <class N, class Code, bool Masks, bool Flags>
    void coded_loop(const N* nodes, const Entry& entry, std::int64_t count, Scratch& scratch) const;
    template <class N, class Code>
    void run_coded(const std::vector<N>& nodes, const Entry& entry, std::int64_t count, Scratch& scratch,
                   bool flags) const;
    void store_values(Entry& entry, const TreeArrays& tree, std::span<const double> values);
    void add_values(const Entry& entry, const std::int32_t* nodes, std::int64_t count, double* out) const;

    std::int64_t width_;
    std::vector<std::int32_t> n_levels_, used_;
    std::vector<Entry> entries_;
    std::vector<double> values_;                 // multiplied by the weight of the tree
    std::vector<std::int32_t> value_row_;        // several values per node: index of the row of values of each node
    std::vector<std::int32_t> labels_;           // votes: the class of each node
    std::vector<Walker::CompactNode> compact_;   // of all coded trees until `finish`; columns are the table's
    std::vector<std::uint64_t> masks_, unseen_;  // per node, if some has a mask: levels that go right, unseen levels
    std::vector<std::vector<double>> cuts_;      // per column in use, ascending
    std::vector<Node> nodes_;
    std::vector<WideNode> wide_;  // used if a column has more cuts than 16 bits can count
    bool is_wide_ = false, has_masks_ = false;
};

}  // namespace hornbeam
