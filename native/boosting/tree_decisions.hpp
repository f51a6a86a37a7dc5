// TreeDecisions: the decisions about the nodes of a tree on gradients, from their sums per bin: columns, best split,
// branch of every code, children, the next node to split. The growers differ in the source of the sums: rows in memory,
// or pieces elsewhere.
#pragma once

#include <vector>

#include "boosting/gradient_search.hpp"
#include "nodes/growth_loop.hpp"

namespace hornbeam {

struct TreeLimits {
    StopRules stops;
    bool best_first = false;
    double columns_per_tree = 1.0, columns_per_node = 1.0;
    std::int64_t min_columns_per_node = 1;
    // Groups of columns that may be used on one path; empty: no limit.
    std::vector<std::vector<std::int32_t>> column_groups;
    std::uint64_t seed = 0;
};

struct GradientNode {
    std::int32_t parent = -1, first_child = -1, depth = 0;
    std::int32_t begin = 0, end = 0;  // range in the row list of the tree
    std::uint64_t id = 1;
    Sums sums;
    Bound bound;
    GradientSplit split;
    double gain = 0.0, value = 0.0;
    std::int32_t cells = -1;       // index of its histogram
    std::int32_t branches = -1;    // offset of the branches per code of its column in the pool of the tree
    Reason reason = Reason::none;  // why it is not split
    bool is_searched = false;
    bool is_weak = false;              // its split was removed by the F test
    std::vector<std::uint8_t> groups;  // per group of columns: 1 if it is still allowed
    std::int32_t rows() const { return end - begin; }
};

// A grown tree on codes. A parent precedes its children, and the children of a node are adjacent.
struct GradientTree {
    std::vector<GradientNode> nodes;
    std::vector<std::uint8_t> branch_pool;
    std::vector<std::vector<std::int32_t>> levels;  // per node: the branch of each level, or -1

    // The leaf of a row of codes.
    std::int32_t leaf(const BinnedTable& table, std::int64_t row) const;
};

// Samples a fraction of n indices without replacement, at least `minimum` (at most n): 1 for each sampled index.
std::vector<std::uint8_t> sampled(double fraction, std::int64_t minimum, std::int64_t n, std::uint64_t key);

// The schedule of trees on gradients: all open nodes together, or the node with the largest gain. A node whose split
// has no gain is not open.
struct GradientSchedule {
    using Next = std::vector<std::int32_t>;
    const GradientTree& tree;
    bool best_first, one_by_one;
    std::vector<std::int32_t> open;

    // Adds the nodes from index `first`.
    void add_from(std::int32_t first) {
        for (auto at = first; at < static_cast<std::int32_t>(tree.nodes.size()); ++at)
            if (tree.nodes[at].gain > 0) open.push_back(at);
    }
    bool next(Next& which);
};

class TreeDecisions {
  public:
    TreeDecisions(const BinnedTable& table, const Regularization& regular, const TreeLimits& limits);

    void start_tree(const Units& units, std::uint64_t number);
    const GradientSearch& search() const { return search_; }
    const std::vector<std::uint8_t>& columns_of_tree() const { return in_tree_; }

    GradientNode root(const Sums& sums) const;
    // The columns that are searched at a node: 1 for each.
    std::vector<std::uint8_t> columns_at(const GradientNode& node) const;
    // Chooses the split of a node from the best splits of its columns.
    void choose_split(GradientNode& node, const std::vector<GradientSplit>& found) const;
    // Sets the branches of the split of a node; `cells` are the sums of its column.
    void set_branches(GradientTree& tree, std::int32_t at, const std::int64_t* cells) const;
    // Adds two children, which are searched if `search_children` is true and no stopping rule applies.
    void add_children(GradientTree& tree, std::int32_t at, bool search_children) const;

    // Whether the number of leaves, not only the depth, limits a tree.
    bool is_limited() const;

    // Splits nodes until no node is open or the tree has its maximum size. split(which, search_children) adds the
    // children of some nodes, or returns false to stop growth.
    template <class Split>
    void run(GradientTree& tree, const Split& split) const {
        GradientSchedule open{tree, limits_.best_first, is_limited(), {}};
        open.add_from(0);
        TreeSize size;
        grow_nodes(open, [&](const std::vector<std::int32_t>& which) {
            for (std::size_t i = 0; i < which.size(); ++i)
                if (size.add_split(limits_.stops, 2) != Reason::none) return false;
            const bool can_grow = limits_.stops.size(size.leaves, 0, 2) == Reason::none;
            const auto first = static_cast<std::int32_t>(tree.nodes.size());
            if (!split(which, !open.one_by_one || can_grow)) return false;
            open.add_from(first);
            return true;
        });
    }

  private:
    Reason early_reason(const GradientNode& node) const;
    void set_bounds(GradientTree& tree, const GradientNode& node) const;

    const BinnedTable& table_;
    const Regularization& regular_;
    TreeLimits limits_;  // with the minimum sizes of leaves
    GradientSearch search_;
    std::uint64_t tree_number_ = 0;
    std::vector<std::uint8_t> in_tree_;  // the columns sampled for the tree
};

}  // namespace hornbeam
