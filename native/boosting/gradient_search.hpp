// Which question lowers the loss most, by the gradients in the bins of one column?
//
//     S(G, H) = soft(G, l1)^2 / (H + l2)       soft(G, l1) = sign(G) max(|G| - l1, 0)
//     gain    = (S(left) + S(right) - S(node)) / 2 - gamma
//     value   = -soft(G, l1) / (H + l2)        clipped to the node's bounds (monotone columns)
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

#include <limits>
#include <vector>

#include "boosting/gradients.hpp"

namespace hornbeam {

struct Regular {
    double l1 = 0.0, l2 = 0.0, categorical_l2 = 0.0, categorical_smoothing = 0.0, gamma = 0.0, min_hessian = 0.0;
    std::int64_t min_rows = 1, min_weighted_rows = 1;
    std::vector<std::int8_t> monotone;  // of every column: -1, 0, 1; empty: none
};

inline constexpr double NEAR = 1e-10;
inline constexpr std::uint32_t FEW_LEVELS = 4;  // a column of at most so many levels is regularized like a number

struct Sums {
    std::int64_t g = 0, hc = 0;
    Sums operator-(const Sums& o) const { return {g - o.g, hc - o.hc}; }
    Sums operator+(const Sums& o) const { return {g + o.g, hc + o.hc}; }
};

struct Bound {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    bool is_free() const { return low == -std::numeric_limits<double>::infinity() && high == -low; }
};

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
    GradientSearch(const BinnedTable& table, const Regular& regular) : table_(table), regular_(regular) {}
    void set_units(const Units& units);
    const Units& units() const { return units_; }

    // The least hessian of a child of a node, in units.
    std::int64_t least_hessian(const Sums& node) const;
    GradientSplit best(const std::int64_t* cells, std::int32_t column, const Sums& node, const Bound& bound,
                       std::int64_t least_hessian, SearchScratch& scratch) const;
    // The codes of a column's levels in the order in which they are cut; only those present.
    void order_levels(const std::int64_t* cells, std::int32_t column, std::vector<std::int32_t>& out) const;
    // The l2 of both children of a split, and of a node by itself.
    double l2_below(const GradientSplit& split) const {
        return split.asked == Asked::levels ? l2_of_levels(split.column) : regular_.l2;
    }
    double own_l2() const { return regular_.l2; }
    double value(const Sums& sums, const Bound& bound, double l2) const;
    double gain(const GradientSplit& split, const Sums& node, const Bound& bound) const;

  private:
    double l2_of_levels(std::int32_t column) const {
        return regular_.l2 + (table_.columns[column].n_bins > FEW_LEVELS ? regular_.categorical_l2 : 0.0);
    }
    double score(const Sums& sums) const;
    double bounded_score(const Sums& sums, const Bound& bound, double l2) const;
    double both(const Sums& left, const Sums& right, const Bound& bound, std::int32_t column, double l2) const;
    struct Range {
        int first = 0, n = 0;
    };
    Range scan(const std::int64_t* cells, const std::int32_t* order, int count, const Sums& node, const Sums& start,
               const Bound& bound, std::int64_t least_h, std::int32_t column, SearchScratch& scratch,
               std::vector<double>& score) const;
    GradientSplit chosen(const std::int64_t* cells, const std::int32_t* order, int at, const Sums& node,
                         const Sums& missing, bool fits_right, bool fits_left, std::int32_t column,
                         const SearchScratch& scratch, const Range& right, const Range& left) const;

    const BinnedTable& table_;
    const Regular& regular_;
    Units units_;
    std::int64_t least_hessian_ = 0;  // of any leaf, in units
};

}  // namespace hornbeam
