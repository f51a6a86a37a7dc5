// Growth of one boosted tree from sums that pieces add up. A tree that splits the node of largest gain first is grown
// ahead: the children of several open nodes are searched per round, and the order of the splits is decided afterwards,
// from gains that do not depend on it. So the tree is that of the grower in memory, after fewer rounds.
#pragma once

#include <cstdint>
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

// What is requested: the whole sums and the cells of the root, cells of nodes, moments of leaves, and, of a tree for
// all classes, the sums of leaves for every class.
struct SumsRequest {
    enum class Wanted : int { nothing, root, cells, moments, leaves };
    Wanted wanted = Wanted::nothing;
    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> columns;  // of the tree
    std::int64_t cells_per_node = 0;
};

class TreeFromSums {
  public:
    TreeFromSums(BoostSettings settings, PieceColumns columns, bool is_weighted, const SumsLimits& limits);
    TreeFromSums(const TreeFromSums&) = delete;

    // The raw scores before the first tree.
    std::vector<double> base(double mean, const std::vector<double>& class_weights, double weight) const {
        return base_of_mean(settings_.loss, mean, class_weights, weight);
    }
    void start(const Units& units, std::uint64_t number, bool is_joint);
    // The next request; nothing is wanted when the tree is complete.
    const SumsRequest& next();
    const SumsRequest& request() const { return request_; }
    // The tree so far, or the complete one with its steps.
    CodedTreeArrays coded() const;

    void answer_root(const Sums& sums, const std::int64_t* cells);
    void answer_cells(const std::int64_t* cells);
    void answer_moments(const std::int64_t* moments);
    // The complete tree for other gradients, whose sums of the requested leaves are given: for one class after the
    // other.
    void refit(const Units& units, const std::int64_t* sums);
    void write(Boosted& out) const { writer_.write(tree_, units_, out); }

  private:
    bool replay();
    void expand();
    void search_node(std::int32_t at);
    void finish();

    BoostSettings settings_;
    PieceColumns columns_;
    SumsLimits limits_;
    TreeDecisions of_class_, of_all_;  // of trees for one class, and for all
    TreeDecisions* decisions_ = &of_class_;
    GradientSearch refitting_;
    Units units_;  // of the sums of the tree
    SplitTest test_;
    TreeWriter writer_;
    NodeSums sums_;                     // of the nodes of `tried_`
    GradientTree tried_, tree_;         // all nodes that were tried; the tree, whose `cells` are the nodes of `tried_`
    std::vector<std::int32_t> needed_;  // nodes of `tried_` whose children are needed next
    std::vector<double> steps_;         // of every node of `tried_`; empty until the tree is complete
    SumsRequest request_;
    bool has_root_ = false, has_leaves_ = true;  // whether the sums of the root, and of leaves, were requested
};

}  // namespace hornbeam
