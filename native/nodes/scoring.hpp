// Scoring: how questions are scored in one growth: criterion, kernel for cuts, units, minimum sizes, tie tolerance.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "core/center.hpp"
#include "criteria/criterion.hpp"
#include "nodes/node.hpp"
#include "nodes/target_order.hpp"
#include "searches/cut.hpp"
#include "searches/levels.hpp"
#include "statistics/any_statistic.hpp"

namespace hornbeam {

// x log2 x in fixed point, for integer weights up to a limit.
struct LogTable {
    std::vector<std::int64_t> values;
    double unit = 1.0;
    void fill(std::int64_t largest);
};

// The kernel that scores cuts (searches/cut_kernels.hpp).
enum class CutKernel { two_classes, squares, logs, moments, any };

// How the candidates of a node are compared.
enum class Choice {
    first_best,           // by score
    ratio_above_average,  // by gain ratio, among those of at least average gain
    gain,                 // by gain, with C4.5's penalty for cuts
};

struct Scoring {
    Scoring(const Plan& the_plan, const std::vector<ReadyColumn>& the_columns);

    const Plan& plan;
    const std::vector<ReadyColumn>& columns;
    std::unique_ptr<Criterion> criterion;
    CutKernel kernel = CutKernel::any;
    AnyStatistic statistic = NumberSums{};
    std::vector<double> factor;  // per entry of a cell: converts units to statistics
    LogTable small_logs, large_logs;
    TargetRanks targets;
    double root_weight = 0.0, root_mass = 0.0;
    MinSize fixed_min_size;  // minimum size of branches that is independent of the node
    bool is_gini = false, is_ratio = false, is_poisson = false;
    Choice choice = Choice::first_best;
    bool needs_information = false;  // candidates need split information
    bool finds_zero = false;         // searches return the best question even if its gain is 0
    bool penalizes_cuts = false;     // the score of a cut is lowered by the number of cuts

    double impurity(const Totals& totals) const;
    double mean_target(const Center& rows) const;  // regression
    double mean_target(const Totals& totals) const { return mean_target(totals.center()); }
    // Sets mean and standard deviation of a regression target at a node in a table of levels.
    void set_target_scale(const Totals& totals, LevelTable& table) const;
    // The mean of a node in units, scaled so that sums about it lose no digits.
    ScaledMean scaled_mean(const Totals& totals) const {
        const Target& target = plan.target;
        return ScaledMean::of(totals.center(), totals.spread / (target.unit * target.unit * target.weight_unit),
                              totals.rows);
    }
    // The tolerance of ties between scores at a node; infinite if all targets are equal, where scores are rounding.
    double tolerance(double impurity) const {
        if (!criterion->is_impurity() || choice != Choice::first_best) return SAME_SCORE;
        if (plan.target.is_class()) return SAME_SCORE * std::max(impurity, LEAST_SCALE);
        return impurity > 0 ? SAME_SCORE * impurity : std::numeric_limits<double>::infinity();
    }
    bool is_pure(const Totals& totals) const;
    // The weight as the criterion counts it.
    double mass(const Totals& totals) const { return statistic.mass(totals.cell.data()); }
    double largest_fraction(const Totals& totals) const;
    const LogTable& logs(std::int64_t weight) const { return weight <= SMALL_LOGS ? small_logs : large_logs; }
    // The minimum size of branches; by C4.5's rule it is relative to the node.
    MinSize min_size(std::int64_t known_weight, bool by_c45) const;
    // Sets the sum of the squares of the class weights if the kernel needs it.
    void set_squares(Totals& totals) const {
        totals.squares = 0;
        if (kernel != CutKernel::squares) return;
        for (const std::int64_t c : totals.cell) totals.squares += c * c;
    }
    // The totals of a node without the rows of a cell.
    Totals without(const Totals& node, std::int64_t rows, const std::int64_t* cell) const;
    // Converts the score on the known rows to the score of the column.
    void finish(Candidate& candidate, double known_fraction, int tried, const Totals& totals) const;

  private:
    static constexpr std::int64_t SMALL_LOGS = 65535;  // a table for small nodes fits the cache
};

// The exact sums over some rows of a block.
Totals sum_rows(const Scoring& s, const AnyBlock& block, const std::uint32_t* rows, std::int32_t n);

}  // namespace hornbeam
