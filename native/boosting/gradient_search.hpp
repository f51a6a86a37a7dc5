// GradientSearch: finds the question about one column that decreases the loss most, from the gradients per bin.
//
//     gain = (S(left) + S(right) - S(node)) / 2 - gamma          S: leaf_scores.hpp
//
// For a column with more than four levels, l2 is increased by `categorical_l2` in both children, because the set of
// levels is chosen from many. A child needs `min_rows` rows, `min_hessian`, and of its node's H the fraction that
// `min_weighted_rows` - 1/2 is of the node's rows, as in LightGBM: rows that are already certain do not make a leaf.
//
// Every cut is scored with the missing values on the left and on the right; missing against the rest is scored too.
// Levels are ordered by G / (H + categorical_smoothing), ties by code, and cut in that order. The first question within
// 1e-10 of the best score wins: columns ascending, cuts ascending, missing values first in the majority branch (then
// left), then in the other one.
#pragma once

#include <vector>

#include "boosting/leaf_scores.hpp"

namespace hornbeam {

inline constexpr double NEAR = 1e-10;
// A column with at most this many levels is regularized like a numeric column.
inline constexpr std::uint32_t MAX_SIMPLE_LEVELS = 4;

enum class SplitKind : std::int8_t { none, cut, levels, is_missing };

struct GradientSplit {
    SplitKind kind = SplitKind::none;
    std::int32_t column = -1;
    std::int32_t length = 0;  // cut: the last code of the left side; levels: number of ordered levels on the left
    bool missing_left = false;
    double score = -1.0;  // S(left) + S(right)
    Sums left;
    bool is_cut() const { return kind == SplitKind::cut; }
    bool is_by_levels() const { return kind == SplitKind::levels; }
};

struct SearchScratch {
    std::vector<double> g, h, score, other;
    std::vector<std::int32_t> order;
};

class GradientSearch {
  public:
    GradientSearch(const BinnedTable& table, const Regularization& regular)
        : table_(table), regular_(regular), leaf_{regular} {}
    void set_units(const Units& units);
    const Units& units() const { return leaf_.units; }
    const LeafScores& leaf() const { return leaf_; }

    // The minimum hessian of a child of a node, in units.
    std::int64_t min_child_hessian(const Sums& node) const;
    GradientSplit best(const std::int64_t* cells, std::int32_t column, const Sums& node, const Bound& bound,
                       std::int64_t min_child_hessian, SearchScratch& scratch) const;
    // The codes of the levels present, in the order in which they are cut.
    void order_levels(const std::int64_t* cells, std::int32_t column, std::vector<std::int32_t>& out) const;
    // The l2 of both children of a split.
    double l2_below(const GradientSplit& split) const {
        return split.kind == SplitKind::levels ? l2_of_levels(split.column) : regular_.l2;
    }
    double gain(const GradientSplit& split, const Sums& node, const Bound& bound) const;

  private:
    double l2_of_levels(std::int32_t column) const {
        return regular_.l2 + (table_.columns[column].n_bins > MAX_SIMPLE_LEVELS ? regular_.categorical_l2 : 0.0);
    }
    // The sums of a node and the constraints on its children.
    struct NodeRule {
        const Sums& sums;
        const Bound& bound;
        std::int64_t min_child_hessian;
    };
    // The sums of the bins of a column at a node, in the order in which they are cut.
    struct OrderedBins {
        std::int32_t column;
        const std::int64_t* cells;
        const std::int32_t* order;  // of levels; null: the order of codes
        int n_cuts;
        Sums missing = {};

        Sums at(int index) const {
            const std::int64_t* cell = cells + 2 * static_cast<std::size_t>(order ? order[index] : index);
            return {cell[0], cell[1]};
        }
    };
    // Consecutive cuts whose sides are large enough, with their scores.
    struct ScoredCuts {
        int first = 0, n = 0;
        const double* score = nullptr;
        // The first cut with at least this score; -1: none.
        int first_above(double threshold) const {
            for (int i = 0; i < n; ++i)
                if (!(score[i] < threshold)) return first + i;
            return -1;
        }
    };
    double score_sides(const OrderedBins& bins, const NodeRule& node, const Sums& left, double l2) const;
    OrderedBins ordered(const std::int64_t* cells, std::int32_t column, SearchScratch& scratch) const;
    ScoredCuts scan(const OrderedBins& bins, const NodeRule& node, const Sums& start, SearchScratch& scratch,
                    std::vector<double>& score) const;
    double score_of_missing(const OrderedBins& bins, const NodeRule& node) const;
    GradientSplit first_split(const OrderedBins& bins, const Sums& node, const ScoredCuts& right,
                              const ScoredCuts& left, double threshold) const;

    const BinnedTable& table_;
    const Regularization& regular_;
    LeafScores leaf_;
    std::int64_t min_hessian_ = 0;  // of any leaf, in units
};

}  // namespace hornbeam
