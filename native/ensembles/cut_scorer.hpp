// CutScorer: keeps the best cut of a node. A cut replaces the best one only if its score is larger by more than a
// tolerance, so the first of equal cuts wins. A `Side` (sides.hpp) computes the scores.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "ensembles/sides.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// The minimum sizes of the two branches of a cut.
struct CutLimits {
    std::int32_t rows = 1;
    std::int64_t weight = 0;
    bool zero_gain = false;  // whether a cut without gain is accepted
};

// The rows of a node with their targets and their sums.
template <class Side>
struct NodeRows {
    const std::uint32_t* rows = nullptr;
    const typename Side::Row* data = nullptr;
    std::int32_t n = 0;
    bool unit_weights = false;  // every row has weight 1
    NodeSums sums;
    double impurity = 0.0;
    std::uint64_t row_set = 0;  // bit set of the rows of the node (bitset_lanes.hpp); 0: all n rows
    bool is_new = true;         // `rows` differs from that of the node before
};

template <class Side>
class CutScorer {
  public:
    CutScorer(const CutLimits& limits, Side side) : limits_(limits), side_(std::move(side)) {}

    void start_node(const NodeRows<Side>& node) {
        node_ = node;
        side_.start_node(node.sums);
        tolerance_ = SAME_SCORE * (Side::is_class ? std::max(node.impurity, LEAST_SCALE) : node.impurity);
        base_ = side_.base();
        to_gain_ = side_.to_gain();
        score_tolerance_ = tolerance_ / to_gain_;
        min_excess_ = limits_.zero_gain ? -score_tolerance_ : score_tolerance_;
        gain_ = 0.0;
        has_best_ = false;
    }

    Side& side() { return side_; }
    const NodeRows<Side>& node() const { return node_; }
    const CutLimits& limits() const { return limits_; }
    double score_tolerance() const { return score_tolerance_; }
    // The score that the first cut of a column must exceed.
    double first_score() const { return limits_.zero_gain ? -std::numeric_limits<double>::infinity() : base_; }

    bool fits_weight(std::int64_t below) const {
        return below >= limits_.weight && node_.sums.weight - below >= limits_.weight;
    }
    bool fits_rows(std::int32_t below) const { return below >= limits_.rows && node_.n - below >= limits_.rows; }
    // Whether both branches of a cut are large enough. `below` is the weight below the cut; is_right(i) is called only
    // if rows must be counted.
    template <class IsRight>
    bool fits(std::int64_t below, const IsRight& is_right) const {
        if (!fits_weight(below)) return false;
        if (limits_.rows <= 1) return true;
        auto rows = static_cast<std::int32_t>(below);
        if (!node_.unit_weights) {
            rows = 0;
            for (std::int32_t i = 0; i < node_.n; ++i) rows += !is_right(i);
        }
        return fits_rows(rows);
    }

    // Whether a cut with this score is better than the best one so far.
    bool is_better(double score) const {
        const double excess = score - base_;
        return excess > min_excess_ && (!has_best_ || excess * to_gain_ - gain_ > tolerance_);
    }
    void set_best(double score) {
        gain_ = (score - base_) * to_gain_;
        has_best_ = true;
    }
    bool has_best() const { return has_best_; }
    double gain() const { return gain_ > tolerance_ ? gain_ : 0.0; }

  private:
    CutLimits limits_;
    Side side_;
    NodeRows<Side> node_;
    double base_ = 0.0, to_gain_ = 1.0;
    double tolerance_ = 0.0, score_tolerance_ = 0.0, min_excess_ = 0.0, gain_ = 0.0;
    bool has_best_ = false;
};

}  // namespace hornbeam
