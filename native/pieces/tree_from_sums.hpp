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
#include "pieces/node_sums.hpp"

namespace hornbeam {

struct SumsLimits {
    std::int64_t round_nodes = 64;  // whose sums are requested in one round
    std::int64_t held_nodes = 64;   // whose sums are held for their children
};

// What is requested: the whole sums and the cells of the root, cells of nodes, moments of leaves.
struct SumsRequest {
    enum class Wanted : int { nothing, root, cells, moments };
    Wanted wanted = Wanted::nothing;
    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> columns;  // of the tree
    std::int64_t cells_per_node = 0;
};

class TreeFromSums {
  public:
    TreeFromSums(BoostSettings settings, PieceColumns columns, bool is_weighted, const SumsLimits& limits);

    void start(const Units& units, std::uint64_t number);
    // The next request; nothing is wanted when the tree is complete.
    const SumsRequest& next();
    const SumsRequest& request() const { return request_; }
    // The tree so far, or the complete one with its steps.
    CodedTreeArrays coded() const;

    void answer_root(const Sums& sums, const std::int64_t* cells);
    void answer_cells(const std::int64_t* cells);
    void answer_moments(const std::int64_t* moments);
    void write(Boosted& out) const { writer_.write(tree_, decisions_.search().units(), out); }

  private:
    bool replay();
    void choose_needed(std::int32_t next);
    void append_children(std::int32_t at, bool search_children);
    void expand();
    void search_node(std::int32_t at);
    void finish();

    BoostSettings settings_;
    PieceColumns columns_;
    SumsLimits limits_;
    TreeDecisions decisions_;
    SplitTest test_;
    TreeWriter writer_;
    NodeSums sums_;                     // of the nodes of `tried_`
    GradientTree tried_, tree_;         // all nodes that were tried; the tree, whose `cells` are the nodes of `tried_`
    std::vector<std::int32_t> needed_;  // nodes of `tried_` whose children are needed next
    std::vector<double> steps_;         // of every node of `tried_`; empty until the tree is complete
    SumsRequest request_;
    bool has_root_ = false;
};

}  // namespace hornbeam
