// How is one tree grown on gradients?  Level by level, all nodes of a level at once; or, when the number of leaves is
// limited, the node of largest gain first.
//
// A split divides the rows of its node (stably, in blocks), adds up the smaller child's histogram and leaves the larger
// one the parent's rest. What depends on threads is only who does which piece.
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
    GradientGrower(const BinnedTable& table, const Regular& regular, const TreeLimits& limits, const SplitTest& test,
                   Team& team);

    // `rows` is reordered so that the rows of every leaf lie together.
    GradientTree grow(const Pair* pairs, const Units& units, std::vector<std::uint32_t>& rows, std::uint64_t tree);
    const GradientSearch& search() const { return decisions_.search(); }

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
    void look(std::vector<Work>& works);
    void build_in_parts(std::vector<Work>& works);
    void search_word(Work& work, std::int64_t task, int member);
    void search_columns(std::int32_t node, std::int64_t task, int member);
    void settle(std::int32_t at);
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
    std::vector<std::vector<GradientSplit>> found_;         // of every node, of every column
    std::vector<std::vector<std::uint8_t>> asked_columns_;  // of every node
    std::uint32_t* rows_ = nullptr;
    std::vector<std::uint32_t> spare_;
};

}  // namespace hornbeam
