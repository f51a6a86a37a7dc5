// Which question lowers the loss most, by the gradients in the bins of one column?
//
//     gain = (S(left) + S(right) - S(node)) / 2 - gamma          S: leaf_scores.hpp
//
// Where a column of more than four levels is split, l2 is larger by `categorical_l2` in both children: a set of levels
// is chosen out of many. A child needs `min_rows` rows, `min_hessian`, and of its node's H the fraction that
// `min_weighted_rows` - 1/2 is of the node's rows, as in LightGBM: rows that are already certain do not make a leaf.
//
// Every cut is tried with the missing rows left and right, and the missing against the rest. Levels are ordered by
// G / (H + categorical_smoothing), ties by code, and cut in that order. Of the questions that come within 1e-10 of the
// best score the first one wins: columns ascending, cuts ascending, missing rows with the heavier side (then left)
// before the lighter.
#pragma once

#include <vector>

#include "boosting/leaf_scores.hpp"

namespace hornbeam {

inline constexpr double NEAR = 1e-10;
inline constexpr std::uint32_t FEW_LEVELS = 4;  // a column of at most so many levels is regularized like a number

enum class Asked : std::int8_t { nothing, cut, levels, is_missing };

struct GradientSplit {
    Asked asked = Asked::nothing;
    std::int32_t column = -1;
    std::int32_t length = 0;  // cut: the last code of the left side; levels: how many of the ordered ones go left
    bool missing_left = false;
    double score = -1.0;  // S(left) + S(right)
    Sums left;
    bool is_cut() const { return asked == Asked::cut; }
    bool is_by_levels() const { return asked == Asked::levels; }
};

struct SearchScratch {
    std::vector<double> g, h, score, other;
    std::vector<std::int32_t> order;
};

class GradientSearch {
  public:
    GradientSearch(const BinnedTable& table, const Regular& regular)
        : table_(table), regular_(regular), leaf_{regular} {}
    void set_units(const Units& units);
    const Units& units() const { return leaf_.units; }
    const LeafScores& leaf() const { return leaf_; }

    // The least hessian of a child of a node, in units.
    std::int64_t least_hessian(const Sums& node) const;
    GradientSplit best(const std::int64_t* cells, std::int32_t column, const Sums& node, const Bound& bound,
                       std::int64_t least_hessian, SearchScratch& scratch) const;
    // The codes of a column's levels in the order in which they are cut; only those present.
    void order_levels(const std::int64_t* cells, std::int32_t column, std::vector<std::int32_t>& out) const;
    // The l2 of both children of a split.
    double l2_below(const GradientSplit& split) const {
        return split.asked == Asked::levels ? l2_of_levels(split.column) : regular_.l2;
    }
    double gain(const GradientSplit& split, const Sums& node, const Bound& bound) const;

  private:
    double l2_of_levels(std::int32_t column) const {
        return regular_.l2 + (table_.columns[column].n_bins > FEW_LEVELS ? regular_.categorical_l2 : 0.0);
    }
    // The sums of a node, and what its children may be.
    struct NodeRule {
        const Sums& sums;
        const Bound& bound;
        std::int64_t least_hessian;
    };
    // The sums of a column's bins at a node, in the order in which they are cut.
    struct OrderedBins {
        std::int32_t column;
        const std::int64_t* cells;
        const std::int32_t* order;  // levels in this order; none: codes as they are
        int n_cuts;
        Sums missing = {};

        Sums at(int place) const {
            const std::int64_t* cell = cells + 2 * static_cast<std::size_t>(order ? order[place] : place);
            return {cell[0], cell[1]};
        }
    };
    // Cuts in a row that leave enough on both sides, with their scores.
    struct ScoredCuts {
        int first = 0, n = 0;
        const double* score = nullptr;
        // The first cut of at least a score; -1: there is none.
        int first_above(double bar) const {
            for (int i = 0; i < n; ++i)
                if (!(score[i] < bar)) return first + i;
            return -1;
        }
    };
    double both(const OrderedBins& bins, const NodeRule& node, const Sums& left, double l2) const;
    OrderedBins ordered(const std::int64_t* cells, std::int32_t column, SearchScratch& scratch) const;
    ScoredCuts scan(const OrderedBins& bins, const NodeRule& node, const Sums& start, SearchScratch& scratch,
                    std::vector<double>& score) const;
    double score_of_missing(const OrderedBins& bins, const NodeRule& node) const;
    GradientSplit chosen(const OrderedBins& bins, const Sums& node, const ScoredCuts& right, const ScoredCuts& left,
                         double bar) const;

    const BinnedTable& table_;
    const Regular& regular_;
    LeafScores leaf_;
    std::int64_t least_hessian_ = 0;  // of any leaf, in units
};

}  // namespace hornbeam
