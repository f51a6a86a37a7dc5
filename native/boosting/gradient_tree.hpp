// How is one tree grown on gradients?  Level by level, all nodes of a level at once; or, when the number of leaves is
// limited, the node of largest gain first.
//
// A split divides the rows of its node (stably, in blocks), adds up the smaller child's histogram and leaves the larger
// one the parent's rest. What depends on threads is only who does which piece.
#pragma once

#include <memory>
#include <vector>

#include "boosting/gradient_search.hpp"
#include "boosting/team.hpp"
#include "nodes/stop_rules.hpp"

namespace hornbeam {

struct TreeLimits {
    StopRules stops;
    bool best_first = false;
    double columns_per_tree = 1.0, columns_per_node = 1.0;
    std::int64_t min_columns_per_node = 1;
    std::vector<std::vector<std::int32_t>> together;  // columns that may be asked about on one path; empty: all
    std::uint64_t seed = 0;
};

struct GradientNode {
    std::int32_t parent = -1, first_child = -1, depth = 0;
    std::int32_t begin = 0, end = 0;  // rows, in the tree's row list
    std::uint64_t id = 1;
    Sums sums;
    Bound bound;
    GradientSplit split;
    double gain = 0.0, value = 0.0;
    std::int32_t cells = -1;       // its histogram
    std::int32_t branches = -1;    // the branch of every code of the column asked about, in the tree's pool
    Reason reason = Reason::none;  // why it may not be split
    bool is_searched = false;
    bool is_weak = false;              // its split was removed by the F test
    std::vector<std::uint8_t> groups;  // which groups of columns are still allowed
    std::int32_t rows() const { return end - begin; }
};

// A grown tree on codes: nodes, parent before child, children side by side.
struct GradientTree {
    std::vector<GradientNode> nodes;
    std::vector<std::uint8_t> branch_pool;
    std::vector<std::vector<std::int32_t>> levels;  // levels: of every node's question, the branch of each level, or -1

    // The leaf that a row of codes ends in.
    std::int32_t leaf(const BinnedTable& table, std::int64_t row) const;
};

// A fraction of n, at least `least` (if there are as many), sampled without replacement: 1 for those sampled.
std::vector<std::uint8_t> sampled(double fraction, std::int64_t least, std::int64_t n, std::uint64_t key);

class SplitTest;

class GradientGrower {
  public:
    GradientGrower(const BinnedTable& table, const Regular& regular, const TreeLimits& limits, const SplitTest& test,
                   Team& team);

    // `rows` is reordered so that the rows of every leaf lie together.
    GradientTree grow(const Pair* pairs, const Units& units, std::vector<std::uint32_t>& rows, std::uint64_t tree);
    const GradientSearch& search() const { return search_; }

  private:
    // One pair of children (or the root) to search.
    struct Work {
        std::int32_t build = -1;          // the node whose histogram is added up from its rows
        std::int32_t rest = -1;           // the node that keeps what is left of the parent's
        std::int32_t taken = -1;          // whose rows are taken away, when nothing is built
        std::vector<std::int32_t> parts;  // histograms of parts of `build`, to be joined
    };
    struct Block;

    void split(const std::vector<std::int32_t>& which, bool search_children);
    void divide(const std::vector<std::int32_t>& which);
    void set_branches(GradientNode& node);
    void add_children(std::int32_t at);
    void look(std::vector<Work>& works);
    void build_in_parts(std::vector<Work>& works);
    void search_word(Work& work, std::int64_t task, int member);
    void search_columns(std::int32_t node, const std::vector<std::int32_t>& columns, int member);
    void settle(std::int32_t at);
    std::vector<std::uint8_t> columns_at(const GradientNode& node) const;
    void add(std::int64_t task, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells, bool take_away) const;
    void clear(std::int64_t task, std::int64_t* cells) const;
    std::int32_t take_cells();
    void give_back(std::int32_t cells);
    std::int64_t* cells(std::int32_t at) { return pool_[at].get(); }
    const std::vector<std::int32_t>& columns_of(std::int64_t task) const { return columns_of_task_[task]; }
    Reason early_reason(const GradientNode& node) const;

    const BinnedTable& table_;
    const Regular& regular_;
    TreeLimits limits_;  // with the least sizes of leaves
    const SplitTest& test_;
    Team& team_;
    GradientSearch search_;
    CellPlan plan_;
    CellSource source_;
    std::uint64_t tree_number_ = 0;
    std::vector<std::vector<std::int32_t>> columns_of_task_;
    std::vector<std::int64_t> tasks_;
    std::vector<std::uint8_t> in_tree_;  // the columns sampled for the tree
    std::vector<SearchScratch> scratch_;
    std::vector<std::unique_ptr<std::int64_t[]>> pool_;
    std::vector<std::int32_t> free_;
    GradientTree tree_;
    std::vector<std::vector<GradientSplit>> found_;         // of every node, of every column
    std::vector<std::vector<std::uint8_t>> asked_columns_;  // of every node
    std::uint32_t* rows_ = nullptr;
    std::vector<std::uint32_t> spare_;
};

}  // namespace hornbeam
