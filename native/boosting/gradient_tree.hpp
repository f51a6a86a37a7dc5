// GradientGrower: grows one tree on gradients. It splits all nodes of one depth together or, if the number of leaves is
// limited, the node with the largest gain first.
//
// A split partitions the rows of its node (stable, in blocks) and builds the histogram of the smaller child; that of
// the larger child is the difference to the parent's. The result does not depend on the number of threads.
#pragma once

#include <span>
#include <vector>

#include "boosting/gradient_histograms.hpp"
#include "boosting/team.hpp"
#include "boosting/tree_decisions.hpp"

namespace hornbeam {

class SplitTest;

class GradientGrower {
  public:
    GradientGrower(const BinnedTable& table, const Regularization& regular, const TreeLimits& limits,
                   const SplitTest& test, Team& team);

    // Reorders `rows` so that the rows of every leaf are contiguous.
    GradientTree grow(const Pair* pairs, const Units& units, std::vector<std::uint32_t>& rows, std::uint64_t tree);
    const GradientSearch& search() const { return decisions_.search(); }

  private:
    // A pair of children, or the root, to search.
    struct Work {
        std::int32_t build = -1;          // the node whose histogram is built from its rows
        std::int32_t rest = -1;           // the node whose histogram is the difference to the parent's
        std::int32_t subtracted = -1;     // the node whose rows are subtracted if no histogram is built
        std::vector<std::int32_t> parts;  // histograms of parts of `build`, to be added
    };
    struct Block;

    void split(const std::vector<std::int32_t>& which, bool search_children);
    void partition_rows(const std::vector<std::int32_t>& which);
    void search_nodes(std::vector<Work>& works);
    void build_in_parallel(std::vector<Work>& works);
    void search_task(Work& work, std::int64_t task, int worker);
    void search_columns(std::int32_t node, std::int64_t task, int worker);
    void choose_split(std::int32_t at);
    std::span<const std::uint32_t> rows_of(const GradientNode& node) const {
        return {rows_ + node.begin, static_cast<std::size_t>(node.rows())};
    }

    const BinnedTable& table_;
    const SplitTest& test_;
    Team& team_;
    TreeDecisions decisions_;
    GradientHistograms histograms_;
    std::vector<SearchScratch> scratch_;
    GradientTree tree_;
    std::vector<std::vector<GradientSplit>> found_;             // per node and column
    std::vector<std::vector<std::uint8_t>> candidate_columns_;  // per node
    std::uint32_t* rows_ = nullptr;
    std::vector<std::uint32_t> spare_;
};

}  // namespace hornbeam
