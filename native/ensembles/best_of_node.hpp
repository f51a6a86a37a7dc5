// Which cut of a node is best?  Scores come from the side; the first best in the order they come wins.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "ensembles/sides.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// What must be left on both sides of a cut.
struct CutLimits {
    std::int32_t rows = 1;
    std::int64_t weight = 0;
    bool zero_gain = false;  // whether a cut that gains nothing counts
};

// The rows of a node with their targets, and what they add up to.
template <class Side>
struct NodeRows {
    const std::uint32_t* rows = nullptr;
    const typename Side::Row* data = nullptr;
    std::int32_t n = 0;
    bool weigh_one = false;  // every row does
    NodeSums sums;
    double impurity = 0.0;
    std::uint64_t few = 0;  // of few rows, those that are the node's; 0: all n rows are
    bool is_new = true;     // these are other rows than before
};

template <class Side>
class BestOfNode {
  public:
    BestOfNode(const CutLimits& limits, Side side) : limits_(limits), side_(std::move(side)) {}

    void enter(const NodeRows<Side>& node) {
        node_ = node;
        side_.start(node.sums);
        bar_ = SAME_SCORE * (Side::is_class ? std::max(node.impurity, LEAST_SCALE) : node.impurity);
        base_ = side_.base();
        to_gain_ = side_.to_gain();
        score_bar_ = bar_ / to_gain_;
        least_ = limits_.zero_gain ? -score_bar_ : score_bar_;
        gain_ = 0.0;
        has_best_ = false;
    }

    Side& side() { return side_; }
    const NodeRows<Side>& node() const { return node_; }
    const CutLimits& limits() const { return limits_; }
    double score_bar() const { return score_bar_; }
    // What the first cut of a column must beat.
    double start() const { return limits_.zero_gain ? -std::numeric_limits<double>::infinity() : base_; }

    bool fits_weight(std::int64_t below) const {
        return below >= limits_.weight && node_.sums.weight - below >= limits_.weight;
    }
    bool fits_rows(std::int32_t below) const { return below >= limits_.rows && node_.n - below >= limits_.rows; }
    // A cut with rows on both sides, so much weight below; `is_right(i)` is asked only where rows must be counted.
    template <class IsRight>
    bool fits(std::int64_t below, const IsRight& is_right) const {
        if (!fits_weight(below)) return false;
        if (limits_.rows <= 1) return true;
        auto rows = static_cast<std::int32_t>(below);
        if (!node_.weigh_one) {
            rows = 0;
            for (std::int32_t i = 0; i < node_.n; ++i) rows += !is_right(i);
        }
        return fits_rows(rows);
    }

    // Whether a cut of this score would be the best so far.
    bool would_win(double score) const {
        const double over = score - base_;
        return over > least_ && (!has_best_ || over * to_gain_ - gain_ > bar_);
    }
    void take(double score) {
        gain_ = (score - base_) * to_gain_;
        has_best_ = true;
    }
    bool has_best() const { return has_best_; }
    double gain() const { return gain_ > bar_ ? gain_ : 0.0; }

  private:
    CutLimits limits_;
    Side side_;
    NodeRows<Side> node_;
    double base_ = 0.0, to_gain_ = 1.0;
    double bar_ = 0.0, score_bar_ = 0.0, least_ = 0.0, gain_ = 0.0;
    bool has_best_ = false;
};

}  // namespace hornbeam
