// Growth of one boosted tree from sums that pieces add up. A tree that splits the node of largest gain first is grown
// ahead: the children of several open nodes are searched per round, and the order of the splits is decided afterwards,
// from gains that do not depend on it. So the tree is that of the grower in memory, after fewer rounds.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "boosting/boosted.hpp"
#include "boosting/split_test.hpp"
#include "pieces/coded_tree.hpp"

namespace hornbeam {

// Columns of pieces: how many codes they have there, and which bin each of them is here. Codes that no training row has
// are no bins of their own.
struct PieceColumns {
    BinnedTable table;                               // bins without rows
    std::vector<std::vector<std::uint32_t>> bin_of;  // of every column, of every code, then of missing values
    std::vector<std::int32_t> n_levels;

    std::uint32_t n_codes(std::int32_t column) const { return static_cast<std::uint32_t>(bin_of[column].size()) - 1; }
};

struct SumsLimits {
    std::int64_t round_nodes = 64;  // whose sums are requested in one round
    std::int64_t held_nodes = 64;   // whose sums are held for their children
};

class TreeFromSums {
  public:
    TreeFromSums(BoostSettings settings, PieceColumns columns, bool is_weighted, const SumsLimits& limits);

    void start(const Units& units, std::uint64_t number);
    // What is requested next; `nothing` when the tree is complete.
    enum class Wanted : int { nothing, root, cells, moments };
    Wanted next();
    const std::vector<std::int32_t>& nodes() const { return nodes_; }
    const std::vector<std::int32_t>& columns() const { return used_; }
    // The tree so far, or the complete one with its steps.
    CodedTreeArrays coded() const;

    void answer_root(const Sums& sums, const std::int64_t* cells);
    void answer_cells(const std::int64_t* cells);
    void answer_moments(const std::int64_t* moments);
    std::int64_t cells_per_node() const;
    void write(Boosted& out) const { writer_.write(tree_, decisions_.search().units(), out); }

  private:
    using Cells = std::vector<std::int64_t>;
    bool replay();
    void choose_needed(std::int32_t next);
    void append_children(std::int32_t at, bool search_children);
    void expand();
    Cells unpacked(const std::int64_t*& from) const;
    void search_node(std::int32_t at);
    void drop_cells();
    void finish();

    BoostSettings settings_;
    PieceColumns columns_;
    SumsLimits limits_;
    TreeDecisions decisions_;
    SplitTest test_;
    TreeWriter writer_;
    std::vector<std::int32_t> used_;    // the columns of the tree
    std::vector<std::size_t> start_;    // of the cells of every column of the tree here
    GradientTree tried_, tree_;         // all nodes that were tried; the tree, whose `cells` are the nodes of `tried_`
    std::vector<Cells> cells_;          // of every node of `tried_`, or none
    std::vector<std::int32_t> nodes_;   // of the request
    std::vector<std::int32_t> needed_;  // nodes of `tried_` whose children are needed next
    std::vector<double> steps_;         // of every node of `tried_`; empty until the tree is complete
    bool has_root_ = false;
};

}  // namespace hornbeam
