// The scores of questions in one growth: the criterion, the kernel for cuts, units, least sizes, tolerance of ties.
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

// x log2 x in fixed point, for whole weights up to a limit.
struct LogTable {
    std::vector<std::int64_t> values;
    double unit = 1.0;
    void fill(std::int64_t largest);
};

// How cuts are scored while their sums are added up (searches/cut_kernels.hpp).
enum class CutKernel { two_classes, squares, logs, moments, any };

// How the questions about the columns of a node are compared.
enum class Choice {
    first_best,           // by score
    ratio_above_average,  // by gain ratio, of those of at least average gain
    gain,                 // by gain, where gains have penalties
};

struct Scoring {
    Scoring(const Plan& the_plan, const std::vector<ReadyColumn>& the_columns);

    const Plan& plan;
    const std::vector<ReadyColumn>& columns;
    std::unique_ptr<Criterion> criterion;
    CutKernel kernel = CutKernel::any;
    AnyStatistic statistic = NumberSums{};
    std::vector<double> factor;  // of every entry of a cell: units to statistics
    LogTable small_logs, large_logs;
    TargetRanks targets;
    double root_weight = 0.0, root_mass = 0.0;
    Least plain_least;  // of questions whose least size does not depend on the node
    bool is_gini = false, is_ratio = false, is_poisson = false;
    Choice choice = Choice::first_best;
    bool needs_information = false;  // candidates have split information
    bool finds_zero = false;         // the best question about a column is found even if it gains nothing
    bool penalizes_cuts = false;     // the number of cuts lowers the gain of a cut

    double impurity(const Totals& totals) const;
    double mean_target(const Center& rows) const;  // of numbers
    double mean_target(const Totals& totals) const { return mean_target(totals.center()); }
    // The mean and the standard deviation of a numeric target at a node, for a table of levels.
    void set_target_scale(const Totals& totals, LevelTable& table) const;
    // The mean of a node in units, scaled so that no sum about it loses digits.
    ScaledMean scaled_mean(const Totals& totals) const {
        const Target& target = plan.target;
        return ScaledMean::of(totals.center(), totals.spread / (target.unit * target.unit * target.weight_unit),
                              totals.rows);
    }
    // The tolerance of ties between scores at a node. Where all numbers are equal no score counts: it is rounding.
    double tolerance(double impurity) const {
        if (!criterion->is_impurity() || choice != Choice::first_best) return SAME_SCORE;
        if (plan.target.is_class()) return SAME_SCORE * std::max(impurity, LEAST_SCALE);
        return impurity > 0 ? SAME_SCORE * impurity : std::numeric_limits<double>::infinity();
    }
    bool is_pure(const Totals& totals) const;
    // The weight as the criterion counts it.
    double mass(const Totals& totals) const { return statistic.mass(totals.cell.data()); }
    double largest_share(const Totals& totals) const;
    const LogTable& logs(std::int64_t weight) const { return weight <= SMALL_LOGS ? small_logs : large_logs; }
    // By C4.5's rule it is relative to the node: that of cuts may be, and that of planes if the criterion is C4.5's.
    Least least(std::int64_t known_weight, bool by_c45) const;
    // Sets the sum of the squares of the classes, where the kernel needs it.
    void set_squares(Totals& totals) const {
        totals.squares = 0;
        if (kernel != CutKernel::squares) return;
        for (const std::int64_t c : totals.cell) totals.squares += c * c;
    }
    // The sums of what is left of a node without the rows of a cell.
    Totals without(const Totals& node, std::int64_t rows, const std::int64_t* cell) const;
    // From the score on the known rows to the score of the column.
    void finish(Candidate& candidate, double known_share, int tried, const Totals& totals) const;

  private:
    static constexpr std::int64_t SMALL_LOGS = 65535;  // a table for small nodes stays in the cache
};

// The exact sums over some rows of a block.
Totals sum_rows(const Scoring& s, const AnyBlock& block, const std::uint32_t* rows, std::int32_t n);

}  // namespace hornbeam
