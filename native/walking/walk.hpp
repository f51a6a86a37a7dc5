// Rows to leaves: the compiled counterpart of tree/reference_walk.py.
//
// A Walker is the layout of a tree for walking; it is built once and then only read. It has two loops:
//
//   compact   every inner node is binary and tests one cut of a numeric column or a map of at most 62 levels;
//             16 bytes per node, eight rows in parallel. A leaf is its own child, so a row that does not move has
//             reached its leaf. A map is a 64-bit mask of the levels that go right (bit 0 unseen, bit 1 missing).
//   general   all five encodings, surrogates, policies for missing and unseen values; one row after the other
//
// If a missing or unseen value has no fixed branch, the compact loop marks the row and the general loop walks it again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.hpp"

namespace hornbeam {

// Outcomes of a question that are not a branch.
inline constexpr std::int32_t UNDEFINED = -1, UNSEEN_LEVEL = -2;
// Ends of a row at an inner node: it stays there, or is distributed over all branches.
inline constexpr std::int32_t STAY = -1, ALL_BRANCHES = -2;
// Codes that are not a level.
inline constexpr std::int32_t MISSING_CODE = -1, UNSEEN_CODE = -2;

inline constexpr std::int64_t BLOCK_ROWS = 512;  // rows that are walked together

enum class Encoding : std::int8_t { cuts = 0, map = 1, plane = 2, ball = 3, combined = 4 };
enum class Unseen : std::int8_t { as_missing = 0, majority = 1, stay = 2, error = 3 };

// Views of the arrays of a tree.
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
    std::span<const std::int32_t> n_levels;  // per column; 0 for numeric columns
    Unseen unseen = Unseen::as_missing;
};

// One column of the rows to walk: values, or codes of levels.
struct WalkColumn {
    const double* numbers = nullptr;
    const std::int32_t* codes = nullptr;
};

class Walker {
    friend class ForestWalker;

  public:
    // Checks every index; throws std::invalid_argument if one is out of range.
    explicit Walker(const TreeArrays& tree);

    // The columns that some question uses, ascending: `walk` and `mix` take these columns in this order.
    const std::vector<std::int32_t>& columns() const noexcept { return used_; }
    // The number of levels of each of these columns, 0 for numeric ones.
    const std::vector<std::int32_t>& n_levels() const noexcept { return used_levels_; }
    std::size_t size() const noexcept { return first_child_.size(); }

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

    // Where one row ends; if it is fractional, the node at which it is first distributed.
    struct End {
        std::int32_t node = 0;
        bool is_fractional = false;
        bool has_unseen = false;
        bool rejected = false;
    };
    End end_of(const WalkColumn* columns, std::int64_t row) const;

    // The values of the nodes where rows end: out[row] = values[nodes[row]], `width` values each.
    void gather(const std::int32_t* nodes, std::int64_t n_rows, const double* values, std::int64_t width, int threads,
                Stop& stop, double* out) const;

    // For rows that are distributed at `nodes`: the mixture of the `width` values of the nodes where they end.
    void mix(std::span<const WalkColumn> columns, std::span<const std::int64_t> rows, const std::int32_t* nodes,
             const double* values, std::int64_t width, int threads, Stop& stop, double* out) const;

    // One step from a node that the row may never reach (used in explaining/): a branch, or one of the two ends.
    struct Step {
        std::int32_t branch;  // STAY and ALL_BRANCHES as in missing_branch
        bool has_unseen;
        bool rejected;
    };
    Step step(std::int32_t node, const WalkColumn* columns, std::int64_t row) const;
    // The branch of a question without surrogates, UNDEFINED or UNSEEN_LEVEL.
    std::int32_t outcome(std::int32_t question, const WalkColumn* columns, std::int64_t row) const;
    // The question of a node, then its surrogates in order.
    std::vector<std::int32_t> questions_at(std::int32_t node) const;
    // The columns of a question as indices in columns(), each once.
    std::vector<std::int32_t> columns_of(std::int32_t question) const;
    std::int32_t missing_branch(std::int32_t node) const { return missing_branch_[static_cast<std::size_t>(node)]; }
    bool takes_unseen_as_missing() const noexcept { return unseen_ == Unseen::as_missing; }
    // For a node that tests one cut of a numeric column: the column, the cut, and the branch of a missing value,
    // UNDEFINED if that depends on other columns. The column is -1 for all other nodes.
    struct SingleCut {
        std::int32_t column = -1;
        std::int32_t missing = UNDEFINED;
        double cut = 0.0;
    };
    SingleCut single_cut(std::int32_t node) const;

  private:
    struct CompactNode {
        std::uint64_t test;   // the bits of the cut, or the mask of levels that go right
        std::int32_t column;  // twice the column, plus 1 if missing values go right; ~ of that for a mask
        std::int32_t child;
    };
    struct Question {
        Encoding encoding;
        std::int32_t column, first, missing_answer;
        std::int64_t whole, n_whole, reals, n_reals;
    };
    void check_and_copy(const TreeArrays& tree);
    void check_question(std::size_t row, std::span<const std::int32_t> n_levels);
    std::int32_t max_branches(std::int32_t question) const;
    void find_columns();
    void build_compact();
    bool compact_node(std::size_t node);
    std::int32_t direct_branch(std::size_t node, std::int32_t outcome) const;

    std::int32_t cuts_outcome(const Question& q, const WalkColumn& column, std::int64_t row) const;
    std::int32_t map_outcome(const Question& q, const WalkColumn& column, std::int64_t row) const;
    std::int32_t plane_outcome(const Question& q, const WalkColumn* columns, std::int64_t row) const;
    std::int32_t ball_outcome(const Question& q, const WalkColumn* columns, std::int64_t row) const;
    std::int32_t combined_outcome(const Question& q, const WalkColumn* columns, std::int64_t row) const;

    // Scratch memory of one thread.
    struct Scratch {
        std::vector<const double*> base;
        std::vector<double> codes;
        std::vector<std::uint8_t> deferred;
    };
    std::int64_t walk_compact(const WalkColumn* columns, std::int64_t begin, std::int64_t end, Scratch& scratch,
                              std::int32_t* nodes, std::uint8_t* has_unseen) const;
    template <bool Masks, bool Careful, bool Flags, class Cell>
    void compact_loop(const Cell& cell, std::int64_t count, std::int32_t* nodes, std::uint8_t* has_unseen,
                      std::uint8_t* deferred) const;
    std::int64_t walk_general(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::int32_t* nodes,
                              std::uint8_t* has_unseen) const;

    std::vector<std::int32_t> first_child_, n_branches_, question_, missing_branch_, majority_;
    std::vector<double> weight_;
    std::vector<std::int64_t> surrogate_start_;
    std::vector<std::int32_t> surrogate_question_;
    std::vector<std::int8_t> surrogate_flipped_;
    std::vector<Question> questions_;
    std::vector<std::int32_t> whole_;
    std::vector<double> reals_;
    std::vector<std::int32_t> expanded_;  // number of literals of a combined question, nested ones included
    std::vector<std::int32_t> used_, used_levels_;
    Unseen unseen_ = Unseen::as_missing;

    std::vector<CompactNode> compact_;           // empty if the tree has no compact layout
    std::vector<std::uint64_t> compact_unseen_;  // per node: mask of the codes that are unseen there
    std::vector<std::uint8_t> compact_uses_;     // per column in use: whether a node tests it (surrogates not counted)
    bool compact_has_masks_ = false;
    bool compact_takes_missing_ = true;  // whether every node has a fixed branch for missing and unseen values
};

}  // namespace hornbeam
