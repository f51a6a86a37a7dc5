// NodeScorer: scores questions about several columns by the criterion of the tree, for the searches of native/oblique.
// Cuts of one number per row are found by the same kernels as cuts of a column.
#pragma once

#include "growing/node_sides.hpp"
#include "nodes/scratch.hpp"
#include "oblique/split_scorer.hpp"

namespace hornbeam {

class NodeScorer final : public SplitScorer {
  public:
    NodeScorer(const Scoring& scoring, Open& node, Scratch& scratch);

    const NodeSides& sides() const { return sides_; }
    double tolerance() const override { return scoring_.tolerance(node_.impurity); }
    bool cut(const Vector& numbers, double& score, double& at) override;
    bool median(const Vector& numbers, bool is_exact, double& at) override;
    double fill_of(std::int32_t column) const override;
    bool score(const RowSides& sides, double& out) override;
    void wanted_sides(const RowSides& sides, Vector& signs, Vector& weights) override;
    double sweep(const std::vector<std::uint8_t>& right, const std::vector<std::uint32_t>& turning,
                 const std::vector<std::uint8_t>& joins, const std::vector<std::uint32_t>& ends,
                 std::size_t& best) override;
    Stream stream() const override {
        return Stream(key(scoring_.plan.seed, Purpose::oblique, scoring_.plan.tree, node_.id));
    }

  private:
    // Sorts the rows by their numbers and ranks blocks of equal numbers; false if all are equal.
    bool rank(const Vector& numbers, bool is_exact);
    double between(std::int64_t below) const;

    const Scoring& scoring_;
    Open& node_;
    Scratch& scratch_;
    NodeSides sides_;
    using Item = ScorerBuffers::Item;
    std::vector<Item>&items_, &spare_;
    std::vector<std::uint64_t>& list_;  // block of equal numbers << 32 | row of the memory block
    Vector& ascending_;
};

// Sets the weight of each row of a node in the criterion.
void set_row_weights(const Scoring& scoring, const NodeSides& sides, Vector& out);

}  // namespace hornbeam
