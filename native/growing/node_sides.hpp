// The sides of splits of a node: what they hold, which are allowed, how the criterion scores them. Rows are named by
// their position in the node.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "oblique/split_scorer.hpp"

namespace hornbeam {

// What lies on one side: the cell of the statistic, or the weight of every distinct target where a quantile is sought;
// rows and weight.
struct SideSums {
    std::vector<std::int64_t> cell;
    std::int64_t rows = 0, weight = 0;
};

// The rows of branch 0, and all rows whose branch is known.
struct KnownSums {
    SideSums left, known;
};

class NodeSides {
  public:
    NodeSides(const Scoring& scoring, const Open& node);

    std::int64_t size() const { return node_.rows(); }
    const SideSums& whole() const { return whole_; }
    // The numbers of a cell.
    int width() const { return order_ ? static_cast<int>(order_->numbers.size()) : scoring_.statistic.width(); }
    SideSums empty() const { return {std::vector<std::int64_t>(width(), 0), 0, 0}; }
    // The entry of a cell that a row adds to, where every class, or every distinct target, has its own.
    std::uint32_t group_of(std::int64_t position) const {
        return order_ ? order_->place[block_.target_rank[row(position)]] : block_.classes[row(position)];
    }
    // A row of the node in its block.
    std::uint32_t row(std::int64_t position) const { return block_.order[node_.begin + position]; }
    std::int64_t weight_of(std::int64_t position) const { return block_.weight_of(row(position)); }
    void add(SideSums& side, std::int64_t position, std::int64_t sign = 1) const;
    KnownSums sums_of(const RowSides& branch) const;
    bool admits(const SideSums& side, const SideSums& whole) const;
    // The statistics of a cell as the criterion reads them are added to `to`.
    void add_real(const std::int64_t* cell, const std::int64_t* whole, double* to) const;
    // A side and the rest of `whole` as the criterion's statistics, written to `parent` and `sides`.
    SplitStats two_sides(const std::int64_t* side, const std::int64_t* whole, double* parent, double* sides) const;
    // The weight of the node's other rows as the criterion counts it.
    double mass_without(const SideSums& known) const;
    // The score of a side of `whole`; the weight of other rows is `unknown`.
    double score(const SideSums& side, const SideSums& whole, double unknown) const;

  private:
    const Scoring& scoring_;
    const Open& node_;
    const AnyBlock& block_;
    RowTargets targets_;
    const TargetOrder* order_;  // where a quantile is sought
    SideSums whole_;
    mutable std::vector<std::int64_t> rest_;
    mutable std::vector<double> parent_, sides_;
};

}  // namespace hornbeam
