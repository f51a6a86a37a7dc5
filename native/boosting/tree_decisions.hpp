// What is decided about the nodes of a tree on gradients once their sums per bin are known: columns, best split, branch
// of every code, children, the node that is split next. The growers differ in where the sums come from: rows in memory,
// or pieces elsewhere.
#pragma once

#include <utility>
#include <vector>

#include "boosting/gradient_search.hpp"
#include "nodes/growth_loop.hpp"

namespace hornbeam {

struct TreeLimits {
    StopRules stops;
    bool best_first = false;
    double columns_per_tree = 1.0, columns_per_node = 1.0;
    std::int64_t min_columns_per_node = 1;
    std::vector<std::vector<std::int32_t>> together;  // columns that may be used on one path; empty: all
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
    std::int32_t branches = -1;    // the branch of every code of its column, in the tree's pool
    Reason reason = Reason::none;  // why it may not be split
    bool is_searched = false;
    bool is_weak = false;              // its split was removed by the F test
    std::vector<std::uint8_t> groups;  // which groups of columns are still allowed
    std::int32_t rows() const { return end - begin; }
};

// A grown tree on codes: nodes, parent before child, children adjacent.
struct GradientTree {
    std::vector<GradientNode> nodes;
    std::vector<std::uint8_t> branch_pool;
    std::vector<std::vector<std::int32_t>> levels;  // levels: of every node's question, the branch of each level, or -1

    // The leaf that a row of codes ends in.
    std::int32_t leaf(const BinnedTable& table, std::int64_t row) const;
};

// A fraction of n, at least `least` (if there are as many), sampled without replacement: 1 for those sampled.
std::vector<std::uint8_t> sampled(double fraction, std::int64_t least, std::int64_t n, std::uint64_t key);

// The schedule of trees on gradients: all open nodes at once, or the one of largest gain; a node whose split gains
// nothing is not open.
struct GradientSchedule {
    using Next = std::vector<std::int32_t>;
    const GradientTree& tree;
    bool best_first, one_by_one;
    std::vector<std::int32_t> open;

    // Adds the nodes from one on.
    void add_from(std::int32_t first) {
        for (auto at = first; at < static_cast<std::int32_t>(tree.nodes.size()); ++at)
            if (tree.nodes[at].gain > 0) open.push_back(at);
    }
    bool next(Next& which);
};

class TreeDecisions {
  public:
    TreeDecisions(const BinnedTable& table, const Regular& regular, const TreeLimits& limits);

    void start_tree(const Units& units, std::uint64_t number);
    const GradientSearch& search() const { return search_; }
    const std::vector<std::uint8_t>& columns_of_tree() const { return in_tree_; }

    GradientNode root(const Sums& sums) const;
    // The columns that are searched at a node: 1 for each.
    std::vector<std::uint8_t> columns_at(const GradientNode& node) const;
    // The best split of a node out of the best ones of its columns.
    void settle(GradientNode& node, const std::vector<GradientSplit>& found) const;
    // The branches of the split of a node; `cells` are the sums of its column.
    void set_branches(GradientTree& tree, std::int32_t at, const std::int64_t* cells) const;
    // Two children, which are searched if `search_children` and the stopping rules permit it.
    void add_children(GradientTree& tree, std::int32_t at, bool search_children) const;

    // Whether the number of leaves, not only the depth, ends a tree.
    bool is_limited() const;

    // Splits nodes until no open node is left or the tree is full: split(which, search_children) adds the children of
    // some nodes, or returns false to end early.
    template <class Split>
    void run(GradientTree& tree, const Split& split) const {
        GradientSchedule open{tree, limits_.best_first, is_limited(), {}};
        open.add_from(0);
        TreeSize size;
        grow_nodes(open, [&](const std::vector<std::int32_t>& which) {
            for (std::size_t i = 0; i < which.size(); ++i)
                if (size.add_split(limits_.stops, 2) != Reason::none) return false;
            const bool has_room = limits_.stops.size(size.leaves, 0, 2) == Reason::none;
            const auto first = static_cast<std::int32_t>(tree.nodes.size());
            if (!split(which, !open.one_by_one || has_room)) return false;
            open.add_from(first);
            return true;
        });
    }

  private:
    Reason early_reason(const GradientNode& node) const;
    void set_bounds(GradientTree& tree, const GradientNode& node) const;

    const BinnedTable& table_;
    const Regular& regular_;
    TreeLimits limits_;  // with the least sizes of leaves
    GradientSearch search_;
    std::uint64_t tree_number_ = 0;
    std::vector<std::uint8_t> in_tree_;  // the columns sampled for the tree
};

}  // namespace hornbeam
