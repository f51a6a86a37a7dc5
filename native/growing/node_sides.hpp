// NodeSides: sums, admissibility and scores of the sides of splits of a node; rows are positions in the node.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "oblique/split_scorer.hpp"

namespace hornbeam {

// The sums of one side: the cell of the statistic (by quantile: the weight per distinct target), rows and weight.
struct SideSums {
    std::vector<std::int64_t> cell;
    std::int64_t rows = 0, weight = 0;
};

// The sums of branch 0, and of all rows whose branch is known.
struct KnownSums {
    SideSums left, known;
};

class NodeSides {
  public:
    NodeSides(const Scoring& scoring, const Open& node);

    std::int64_t size() const { return node_.rows(); }
    const SideSums& whole() const { return whole_; }
    // The number of entries of a cell.
    int width() const { return order_ ? static_cast<int>(order_->numbers.size()) : scoring_.statistic.width(); }
    SideSums empty() const { return {std::vector<std::int64_t>(width(), 0), 0, 0}; }
    // The entry of a cell to which a row is added, if there is one per class or per distinct target value.
    std::uint32_t group_of(std::int64_t position) const {
        return order_ ? order_->value_index[block_.target_rank[row(position)]] : block_.classes[row(position)];
    }
    // The row in the block of a position.
    std::uint32_t row(std::int64_t position) const { return block_.order[node_.begin + position]; }
    std::int64_t weight_of(std::int64_t position) const { return block_.weight_of(row(position)); }
    void add(SideSums& side, std::int64_t position, std::int64_t sign = 1) const;
    KnownSums sums_of(const RowSides& branch) const;
    bool admits(const SideSums& side, const SideSums& whole) const;
    // Adds the statistics of the criterion of a cell to `to`.
    void add_real(const std::int64_t* cell, const std::int64_t* whole, double* to) const;
    // Writes the statistics of the criterion of a side and the rest of `whole` to `parent` and `sides`.
    SplitStats two_sides(const std::int64_t* side, const std::int64_t* whole, double* parent, double* sides) const;
    // The weight in the criterion of all rows of the node except `known`.
    double mass_without(const SideSums& known) const;
    // The score of a side of `whole`; `unknown` is the weight of other rows.
    double score(const SideSums& side, const SideSums& whole, double unknown) const;

  private:
    const Scoring& scoring_;
    const Open& node_;
    const AnyBlock& block_;
    RowTargets targets_;
    const TargetOrder* order_;  // null unless the criterion is by quantile
    SideSums whole_;
    mutable std::vector<std::int64_t> rest_;
    mutable std::vector<double> parent_, sides_;
};

}  // namespace hornbeam
