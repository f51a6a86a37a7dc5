// Rows to leaves: the compiled twin of tree/reference_walk.py.
//
// A `Walker` is a tree laid out for walking, made once and then only read. Two loops serve it:
//
//   lean     every inner node is binary and asks for one cut of a number, or a map of at most 62 levels: 16 bytes a
//            node, eight rows side by side. A leaf is its own child, so a row that has arrived is one
//            that did not move. Levels live in a 64-bit mask (bit 0 unseen, bit 1 missing, then the levels) that says
//            who goes right.
//   general  all five encodings, surrogates, missing and unseen policies, one row after the other.
//
// Where a missing or unseen value needs more than a plain branch, the lean loop marks the row and the general loop
// walks it again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.hpp"

namespace hornbeam {

inline constexpr std::int32_t kUnknown = -1;
inline constexpr std::int32_t kUnseenLevel = -2;
inline constexpr std::int32_t kStay = -1;
inline constexpr std::int32_t kShare = -2;

inline constexpr std::int64_t kBlock = 512;  // rows that are walked together

enum class Encoding : std::int8_t { cuts = 0, map = 1, plane = 2, ball = 3, combined = 4 };
enum class Unseen : std::int8_t { as_missing = 0, majority = 1, stay = 2, error = 3 };

// The arrays of a tree, as Python holds them.
struct TreeArrays {
    std::span<const std::int32_t> first_child, n_branches, question, missing_branch;
    std::span<const double> weight;
    std::span<const std::int64_t> surrogate_start;
    std::span<const std::int32_t> surrogate_question;
    std::span<const std::int8_t> surrogate_flipped;
    std::span<const std::int8_t> encoding;
    std::span<const std::int32_t> column, first, missing_answer;
    std::span<const std::int64_t> whole_start, reals_start;
    std::span<const std::int32_t> whole;
    std::span<const double> reals;
    std::span<const std::int32_t> n_levels;  // one a column; 0 for numeric
    Unseen unseen = Unseen::as_missing;
};

// One column of the rows to walk: numbers, or codes into levels.
struct WalkColumn {
    const double* numbers = nullptr;
    const std::int32_t* codes = nullptr;
};

class Walker {
    friend class ForestWalker;

  public:
    // Checks every index on the way; throws std::invalid_argument when one points outside.
    explicit Walker(const TreeArrays& tree);

    // The columns that some question looks at, ascending: what walk and mix are given, in this order.
    const std::vector<std::int32_t>& columns() const noexcept { return used_; }
    // The number of levels of each of these columns, 0 for numbers.
    const std::vector<std::int32_t>& n_levels() const noexcept { return used_levels_; }
    std::size_t size() const noexcept { return first_child_.size(); }

    // The node where each row ends, or ~node where it is shared out over the branches of that node. `met_unseen`
    // (may be null) marks rows that met a level without a branch. Returns the first row that policy `error` refuses, or
    // -1.
    std::int64_t walk(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop,
                      std::int32_t* nodes, std::uint8_t* met_unseen) const;

    // Whether rows of numbers can be walked as they lie, side by side: every node asks for one cut of a number and has
    // a branch for a missing one.
    bool takes_rows() const noexcept;
    // The node where each row ends, of rows that lie side by side. False if a value is infinite: nothing is told then.
    template <class T>
    bool walk_rows(const T* cells, std::int64_t n_rows, std::int64_t width, int threads, Stop& stop,
                   std::int32_t* nodes) const;

    // Where one row ends; where it is shared out, the node at which that begins.
    struct End {
        std::int32_t node = 0;
        bool is_shared = false;
        bool met_unseen = false;
        bool refused = false;
    };
    End end_of(const WalkColumn* columns, std::int64_t row) const;

    // The values of the nodes where rows end: out[row] = values[nodes[row]], `width` numbers each.
    void gather(const std::int32_t* nodes, std::int64_t n_rows, const double* values, std::int64_t width, int threads,
                Stop& stop, double* out) const;

    // For rows shared out at `nodes`: the mixture of the `width` values of the nodes they end in.
    void mix(std::span<const WalkColumn> columns, std::span<const std::int64_t> rows, const std::int32_t* nodes,
             const double* values, std::int64_t width, int threads, Stop& stop, double* out) const;

    // Node by node, for those who ask what a row would do where it never comes (explaining/, in inside.cpp).
    // Where a row goes next: a branch, or one of the two ends.
    struct Step {
        std::int32_t branch;  // kStay and kShare as in missing_branch
        bool met_unseen;
        bool refused;
    };
    Step step(std::int32_t node, const WalkColumn* columns, std::int64_t row) const;
    // The branch that a question alone gives, kUnknown or kUnseenLevel.
    std::int32_t answer(std::int32_t question, const WalkColumn* columns, std::int64_t row) const;
    // What a node asks: its question, then its surrogates in order.
    std::vector<std::int32_t> asked(std::int32_t node) const;
    // The columns of a question, as places in columns(), each once.
    std::vector<std::int32_t> columns_of(std::int32_t question) const;
    std::int32_t missing_branch(std::int32_t node) const { return missing_branch_[static_cast<std::size_t>(node)]; }
    bool takes_unseen_as_missing() const noexcept { return unseen_ == Unseen::as_missing; }
    // A node that asks for one cut of a number: its column, the cut, and the branch of a missing number, kUnknown when
    // that takes a closer look. The column is -1 at all other nodes.
    struct PlainCut {
        std::int32_t column = -1;
        std::int32_t missing = kUnknown;
        double cut = 0.0;
    };
    PlainCut plain_cut(std::int32_t node) const;

  private:
    struct LeanNode {
        std::uint64_t test;   // the bits of the cut, or the mask of levels that go right
        std::int32_t column;  // twice the column, plus 1 if missing numbers go right; ~ of that for a mask
        std::int32_t child;
    };
    struct Question {
        Encoding encoding;
        std::int32_t column, first, missing_answer;
        std::int64_t whole, n_whole, reals, n_reals;
    };
    void check_and_copy(const TreeArrays& tree);
    void check_question(std::size_t row, std::span<const std::int32_t> n_levels);
    std::int32_t most_branches(std::int32_t question) const;
    void find_columns();
    void build_lean();
    bool lean_node(std::size_t node);
    std::int32_t plain_branch(std::size_t node, std::int32_t answer) const;

    std::int32_t answer_cuts(const Question& q, const WalkColumn& column, std::int64_t row) const;
    std::int32_t answer_map(const Question& q, const WalkColumn& column, std::int64_t row) const;
    std::int32_t answer_plane(const Question& q, const WalkColumn* columns, std::int64_t row) const;
    std::int32_t answer_ball(const Question& q, const WalkColumn* columns, std::int64_t row) const;
    std::int32_t answer_combined(const Question& q, const WalkColumn* columns, std::int64_t row) const;

    // Working memory of one thread.
    struct Room {
        std::vector<const double*> base;
        std::vector<double> codes;
        std::vector<std::uint8_t> odd;
    };
    std::int64_t walk_lean(const WalkColumn* columns, std::int64_t begin, std::int64_t end, Room& room,
                           std::int32_t* nodes, std::uint8_t* met_unseen) const;
    template <bool Masks, bool Careful, bool Flags, class Cell>
    void lean_loop(const Cell& cell, std::int64_t count, std::int32_t* nodes, std::uint8_t* met_unseen,
                   std::uint8_t* odd) const;
    std::int64_t walk_general(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::int32_t* nodes,
                              std::uint8_t* met_unseen) const;

    std::vector<std::int32_t> first_child_, n_branches_, question_, missing_branch_, heaviest_;
    std::vector<double> weight_;
    std::vector<std::int64_t> surrogate_start_;
    std::vector<std::int32_t> surrogate_question_;
    std::vector<std::int8_t> surrogate_flipped_;
    std::vector<Question> questions_;
    std::vector<std::int32_t> whole_;
    std::vector<double> reals_;
    std::vector<std::int32_t> expanded_;  // how many literals a combined question comes to
    std::vector<std::int32_t> used_, used_levels_;
    Unseen unseen_ = Unseen::as_missing;

    std::vector<LeanNode> lean_;              // empty when the tree does not suit the lean loop
    std::vector<std::uint64_t> lean_unseen_;  // per node: the codes that are unseen there
    std::vector<std::uint8_t> lean_asks_;     // per column in use: whether a node asks it (and not only a surrogate)
    bool lean_has_masks_ = false;
    bool lean_takes_missing_ = true;  // whether every node has a plain branch for missing and unseen values
};

}  // namespace hornbeam
