// What do many trees say of a row?  Blocks of rows go down one tree after the other, so that a tree's nodes stay in the
// cache while the block uses them.
//
//   coded    every number of the block is first turned into its place among all the cuts of its column (how many lie
//            below it), once for all trees; a node is then 8 bytes, a comparison of small whole numbers, and the
//            block's codes stay in the innermost cache. Nodes that ask for a set of levels keep a 64-bit mask beside
//            them.
//   one by one  a tree that asks for more than that, or whose missing values need a look at other columns while the
//            block has some, is walked by its own Walker.
//
// What the trees say is added up in their order for every row, so any number of threads gives the same sums.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "walking/walk.hpp"

namespace hornbeam {

// The bit of a node's column that says: a mask of levels decides.
template <class Code>
inline constexpr std::uint32_t MASK_BIT = std::uint32_t{1} << (8 * sizeof(Code) - 1);

template <class Code>
inline constexpr Code NEVER = std::numeric_limits<Code>::max();  // above all places of cuts

class ForestWalker {
  public:
    // `width` numbers are added up for every row; the columns are those of the table, n_levels 0 for numbers.
    ForestWalker(std::int64_t width, std::vector<std::int32_t> n_levels)
        : width_(width), n_levels_(std::move(n_levels)) {}
    ForestWalker(ForestWalker&&) = default;
    ForestWalker(const ForestWalker&) = delete;

    // Makes room for so many nodes of all trees together.
    void expect(std::int64_t n_nodes);
    // Adds a tree. It says `values[node]`: as many numbers as the width, or one number that goes to `output`. With
    // `is_vote` a row adds 1 to the class it is told: `answer[node]`, or the largest of the values where it is shared
    // out. All is multiplied by `weight`.
    void add(const TreeArrays& tree, std::span<const double> values, std::span<const double> answer, bool is_vote,
             std::int32_t output, double weight);
    // Lays the trees out for walking; nothing can be added afterwards.
    void finish();

    const std::vector<std::int32_t>& n_levels() const noexcept { return n_levels_; }
    // The columns that some tree looks at, ascending.
    const std::vector<std::int32_t>& columns() const noexcept { return used_; }
    std::int64_t width() const noexcept { return width_; }

    // Adds what the trees say to `out` (rows, width). `columns` are all of the table, those in use filled. `shared` and
    // `met_unseen` (may be null) mark rows. Returns the first row that policy `error` refuses, or -1.
    std::int64_t add_up(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop, double* out,
                        std::uint8_t* shared, std::uint8_t* met_unseen) const;

  private:
    struct Node {
        std::uint16_t code;    // goes right when the row's code is above it
        std::uint16_t column;  // twice the place among the columns in use, plus 1 if missing numbers go right;
                               // the highest bit: a mask of levels decides
        std::int32_t child;    // a leaf is its own child
    };
    struct WideNode {
        std::uint32_t code, column;
        std::int32_t child;
    };
    struct Member {
        std::int64_t first = 0;      // its nodes among all
        std::int64_t size = 0;       // how many
        std::int64_t values_at = 0;  // in the pool of values; votes: in the pool of labels
        std::int64_t said_at = 0;    // several values a node: in `said_`
        std::int64_t per_node = 1;   // how many values a node has
        std::int32_t steps = 0;      // the longest path, where it is not much longer than the mean one; else 0
        std::int32_t output = 0;     // where a single value goes
        double weight = 1.0;
        bool is_vote = false;
        bool is_coded = false;
        bool takes_missing = false;  // every node has a plain branch for missing and unseen values
        bool has_masks = false;
        std::unique_ptr<Walker> walker;  // where the coded loop does not do
        std::vector<double> values;      // what its nodes say, for rows that it shares out
    };
    struct Room;

    std::int32_t place_of(std::int32_t column) const;
    template <class To>
    std::vector<To> coded_nodes();
    template <class Code>
    bool fill_codes(std::span<const WalkColumn> columns, std::int64_t begin, std::int64_t count, Room& room) const;
    std::int64_t block_rows(std::int64_t n_rows, int threads) const;
    std::int64_t walk_block(std::span<const WalkColumn> columns, std::int64_t begin, std::int64_t count, Room& room,
                            double* out, std::uint8_t* shared, std::uint8_t* met_unseen) const;
    std::int64_t walk_alone(const Member& member, std::span<const WalkColumn> columns, std::int64_t begin,
                            std::int64_t count, Room& room, double* out, std::uint8_t* shared) const;
    template <class N, class Code>
    void even_loop(const N* nodes, const Member& member, std::int64_t count, Room& room) const;
    template <class N, class Code, bool Masks, bool Flags>
    void coded_loop(const N* nodes, const Member& member, std::int64_t count, Room& room) const;
    template <class N, class Code>
    void run_coded(const std::vector<N>& nodes, const Member& member, std::int64_t count, Room& room, bool flags) const;
    void keep_values(Member& member, const TreeArrays& tree, std::span<const double> values);
    void tell(const Member& member, const std::int32_t* nodes, std::int64_t count, double* out) const;

    std::int64_t width_;
    std::vector<std::int32_t> n_levels_, used_;
    std::vector<Member> members_;
    std::vector<double> values_;                 // times the weight
    std::vector<std::int32_t> said_;             // several values a node: which of the member's rows of values it says
    std::vector<std::int32_t> labels_;           // votes: the class of every node
    std::vector<Walker::LeanNode> lean_;         // of all coded trees until `finish`; columns are the table's
    std::vector<std::uint64_t> masks_, unseen_;  // per node, where some node has a mask: who goes right, who is unseen
    std::vector<std::vector<double>> cuts_;      // per column in use, ascending
    std::vector<Node> nodes_;
    std::vector<WideNode> wide_;  // where a column has more cuts than 16 bits can number
    bool is_wide_ = false, has_masks_ = false;
};

}  // namespace hornbeam
