// F test of the splits of a grown tree: removes splits between leaves whose mean gradients do not differ significantly.
//
//     between = (GL nr - GR nl)^2 / (nl nr n)      within = sum g^2 - GL^2 / nl - GR^2 / nr      n = nl + nr
//     F       = between / (within / (n - 2))       the split is removed if F < the minimum or n <= 2
//     minimum = min_f + f_slope ln m               m: the cuts that were tried, at most as many as the node has rows
//
// The best of many cuts has a larger F by chance alone, hence m. The test runs from the bottom up: a node whose split
// is removed is a leaf in the test of its parent. Rows are counted by weight, in units of the mean weight; an F within
// 1e-10 of the minimum counts as equal. G, n and the sum of squares are integers, so neither the order of the rows nor
// the number of threads changes the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "boosting/gradient_tree.hpp"
#include "core/portable.hpp"

namespace hornbeam {

// The contribution of the rows of a leaf to the test.
struct TestMoments {
    Wide squares = 0;        // sum of g^2 / w, in units
    std::int64_t count = 0;  // sum of w, in units
    bool is_known = false;

    void add(std::int64_t gradient) {
        squares += static_cast<Wide>(gradient) * gradient;
        ++count;
    }
    // A row with a weight; the limit `largest` is that of its square.
    void add(std::int64_t gradient, std::int64_t weight, double inverse, double largest) {
        const auto g = static_cast<double>(gradient);
        squares += static_cast<Wide>(std::rint(std::min(g * g * inverse, largest)));
        count += weight;
    }
};

// Weights of rows in the test. The largest square is a limit with which the sum of n_rows squares fits into 128 bits;
// only rows with a tiny weight reach it.
std::int64_t weight_in_test(double weight, double mean_weight);
double inverse_in_test(double weight, double mean_weight);
double largest_square(std::int64_t n_rows);

class SplitTest {
  public:
    // With empty `weights` every row counts once.
    SplitTest(double min_f, double f_slope, const std::vector<double>& weights, double mean_weight);
    // For rows whose moments are computed elsewhere.
    SplitTest(double min_f, double f_slope, bool is_weighted);

    bool is_used() const { return min_f_ > 0; }
    // `rows` are the rows of the tree in the order of its leaves.
    void prune(GradientTree& tree, const BinnedTable& table, const Pair* pairs, const std::uint32_t* rows,
               Team& team) const;
    // `of` has the moments of some leaves; moments_of(leaf) computes those of the others.
    void prune(GradientTree& tree, const BinnedTable& table, std::vector<TestMoments>& of,
               const std::function<TestMoments(std::int32_t)>& moments_of) const;

  private:
    TestMoments moments(const GradientNode& node, const Pair* pairs, const std::uint32_t* rows) const;
    bool is_weak(const GradientNode& a, const TestMoments& of_a, const GradientNode& b, const TestMoments& of_b,
                 double minimum) const;

    double min_f_, f_slope_, unit_;
    double largest_square_ = 0.0;
    std::vector<std::int64_t> counts_;  // per row; empty: 1
    std::vector<double> inverse_;       // per row: mean weight / weight
};

}  // namespace hornbeam
