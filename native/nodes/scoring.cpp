#include "nodes/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/long_real.hpp"
#include "core/portable.hpp"
#include "core/stop.hpp"
#include "core/weight_limits.hpp"
#include "criteria/poisson.hpp"
#include "criteria/quantile.hpp"
#include "nodes/block.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t LARGEST_LOG_TABLE = std::int64_t{1} << 22;
constexpr std::int64_t SQUARES_FIT = std::int64_t{1} << 31;  // totals below this have squares below 2^62

std::int64_t whole_weight(const Plan& plan) {
    if (plan.target.weights.empty()) return plan.n_rows;
    std::int64_t sum = 0;
    for (const std::int64_t w : plan.target.weights) sum += w;
    return sum;
}

std::unique_ptr<Criterion> criterion_for(const Plan& plan) {
    if (!plan.criterion.costs.empty()) return make_cost_criterion(plan.criterion.costs);
    if (plan.criterion.quantile < 0) return make_criterion(plan.criterion.name);
    return std::make_unique<QuantileRisk>(QuantileRule{plan.criterion.quantile, plan.criterion.scale});
}

// The minimum size of the branches of a question; by C4.5's rule it is relative to the node.
MinSize computed_min_size(const Scoring& s, std::int64_t known_weight, bool by_c45) {
    MinSize out;
    out.zero_gain = s.finds_zero;
    out.rows = std::max<std::int64_t>(s.plan.stops.min_leaf, 1);
    double weight = s.plan.stops.min_leaf_weight / s.plan.target.weight_unit;
    if (by_c45) {
        const double known = static_cast<double>(known_weight) * s.plan.target.weight_unit;
        const double fraction =
            std::min(std::max(0.1 * known / std::max(s.plan.target.n_classes, 1), s.plan.stops.min_leaf_weight), 25.0);
        weight = std::max(fraction, s.plan.stops.min_leaf_weight) / s.plan.target.weight_unit;
    }
    out.weight = whole_limit(weight);
    if (s.plan.target.weights.empty()) out.rows = std::max(out.rows, out.weight);
    return out;
}

}  // namespace

void LogTable::fill(std::int64_t largest) {
    values.resize(largest + 1);
    const double most = largest > 1 ? static_cast<double>(largest) * std::log2(static_cast<double>(largest)) : 1.0;
    const int bits = 60 - static_cast<int>(std::ceil(std::log2(most + 1.0)));
    unit = std::ldexp(1.0, -bits);
    for (std::int64_t x = 0; x <= largest; ++x) {
        const auto real = static_cast<double>(x);
        values[x] = x < 2 ? 0 : std::llround(std::ldexp(real * std::log2(real), bits));
    }
}

Scoring::Scoring(const Plan& the_plan, const std::vector<ReadyColumn>& the_columns)
    : plan(the_plan), columns(the_columns), criterion(criterion_for(the_plan)) {
    if (plan.criterion.uses_quantile()) targets = ranked_targets(plan);
    const Target& target = plan.target;
    const bool is_unscaled = target.class_scale.empty();
    const std::int64_t weight = whole_weight(plan);
    root_weight = static_cast<double>(weight);
    is_gini = plan.criterion.name == "gini";
    is_ratio = plan.criterion.name == "gain_ratio";
    is_poisson = plan.criterion.name == "poisson" || plan.criterion.name == "poisson_loss";
    if (plan.criterion.c45) choice = plan.criterion.c45_by_gain ? Choice::gain : Choice::ratio_above_average;
    needs_information = plan.criterion.c45 || is_ratio;
    penalizes_cuts = plan.criterion.c45;
    // A literal of a conjunction may have gain 0.
    finds_zero = plan.criterion.zero_gain || std::any_of(plan.many.begin(), plan.many.end(),
                                                         [](const ManyPlan& each) { return each.is_conjunction(); });
    const std::string& name = plan.criterion.name;
    if (name == "squared_error" && target.several.empty()) kernel = CutKernel::moments;
    if (is_unscaled && weight < SQUARES_FIT) {
        const bool gini = name == "gini" || name == "two_class_variance";
        if (gini)
            kernel = target.n_classes == 2 && target.weights.empty() ? CutKernel::two_classes : CutKernel::squares;
        if ((name == "entropy" || name == "c45") && weight <= LARGEST_LOG_TABLE) kernel = CutKernel::logs;
    }
    if (kernel == CutKernel::logs || (plan.cuts.intervals > 0 && is_ratio && weight <= LARGEST_LOG_TABLE)) {
        small_logs.fill(std::min(weight, SMALL_LOGS));
        if (weight > SMALL_LOGS) large_logs.fill(weight);
    }
    if (target.is_class()) {
        factor.assign(target.n_classes, target.weight_unit);
        for (std::size_t k = 0; k < target.class_scale.size(); ++k) factor[k] *= target.class_scale[k];
        statistic = ClassWeights{factor};
    } else if (target.several.empty()) {
        factor = {target.weight_unit, target.unit * target.weight_unit};
        statistic = NumberSums{factor[0], factor[1]};
    } else {
        factor = {target.weight_unit};
        for (const NumberTarget& each : target.several) factor.push_back(each.unit * target.weight_unit);
        statistic = SeveralSums{factor[0], {factor.begin() + 1, factor.end()}};
    }
    fixed_min_size = computed_min_size(*this, 0, false);
    root_mass = root_weight * target.weight_unit;
    if (!is_unscaled) {
        root_mass = 0;
        std::vector<std::int64_t> counts = target.class_totals;
        counts.resize(target.n_classes, 0);
        for (std::size_t i = 0; i < target.classes.size(); ++i)
            counts[target.classes[i]] += target.weights.empty() ? 1 : target.weights[i];
        for (int k = 0; k < target.n_classes; ++k) root_mass += static_cast<double>(counts[k]) * factor[k];
    }
}

double Scoring::mean_target(const Center& rows) const {
    return plan.target.origin + static_cast<double>(rows.sum) / static_cast<double>(rows.weight) * plan.target.unit;
}

void Scoring::set_target_scale(const Totals& totals, LevelTable& table) const {
    table.mean = table.deviation = 0.0;
    if (plan.target.is_class() || totals.weight == 0) return;
    table.mean = mean_target(totals);
    table.deviation = std::sqrt(totals.spread / (static_cast<double>(totals.weight) * plan.target.weight_unit));
}

double Scoring::impurity(const Totals& totals) const {
    if (totals.weight == 0) return 0.0;
    const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
    if (plan.criterion.quantile >= 0) return totals.risk;
    if (is_poisson) return 2 * totals.mean * totals.deviance / static_cast<double>(totals.weight);
    if (!plan.target.is_class()) return totals.spread / weight;
    std::vector<double> stats(totals.cell.size());
    for (std::size_t k = 0; k < stats.size(); ++k) stats[k] = static_cast<double>(totals.cell[k]) * factor[k];
    return std::max(0.0, criterion->impurity(stats.data(), static_cast<int>(stats.size())));
}

bool Scoring::is_pure(const Totals& totals) const {
    if (!plan.target.is_class()) return totals.is_one_number;
    return std::any_of(totals.cell.begin(), totals.cell.end(), [&](auto c) { return c == totals.weight; });
}

double Scoring::largest_fraction(const Totals& totals) const {
    if (!plan.target.is_class()) return 0.0;
    double most = 0, all = 0;
    for (std::size_t k = 0; k < totals.cell.size(); ++k) {
        const double w = static_cast<double>(totals.cell[k]) * factor[k];
        most = std::max(most, w);
        all += w;
    }
    return all > 0 ? most / all : 1.0;
}

MinSize Scoring::min_size(std::int64_t known_weight, bool by_c45) const {
    return by_c45 ? computed_min_size(*this, known_weight, true) : fixed_min_size;
}

Totals Scoring::without(const Totals& node, std::int64_t rows, const std::int64_t* cell) const {
    Totals out = node;
    out.rows -= rows;
    out.weight -= statistic.weight(cell);
    for (std::size_t k = 0; k < out.cell.size(); ++k) out.cell[k] -= cell[k];
    set_squares(out);
    return out;
}

void Scoring::finish(Candidate& c, double known_fraction, int tried, const Totals& totals) const {
    if (!is_ratio) c.score *= known_fraction;
    c.gain = c.score;
    if (penalizes_cuts && c.type == Candidate::Type::cut) {
        const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
        c.score -= std::log2(static_cast<double>(tried)) / weight;
    }
}

namespace {

// Mean and sum of squares about it of one target of the rows, and whether all values are equal.
struct Spread {
    double mean = 0.0, squares = 0.0;
    bool is_one = true;
};

Spread spread_of(const Scoring& s, const AnyBlock& block, std::span<const std::uint32_t> rows, const Totals& totals,
                 std::size_t at) {
    const Target& target = s.plan.target;
    const std::size_t each = std::max<std::size_t>(target.several.size(), 1);
    const auto [numbers, origin, unit] =
        target.several.empty() ? NumberTarget{target.numbers, target.origin, target.unit} : target.several[at];
    const auto n = static_cast<std::int64_t>(rows.size());
    const std::int64_t sum = totals.cell[1 + at];
    Spread out;
    // Rows of one unit: exact in integers. Weighted rows: extended sums of the target itself, because the fixed-point
    // product of a small weight has lost digits. Their error is far below the last digit in any order of the rows.
    if (block.weights.empty()) {
        const std::int64_t center = sum / n;
        Wide squares = 0;
        for (const std::uint32_t row : rows) {
            const std::int64_t off = block.sums[row * each + at] - center;
            squares += static_cast<Wide>(off) * off;
        }
        const double rest = static_cast<double>(sum - center * n);
        out.squares = (static_cast<double>(squares) - rest * rest / n) * unit * unit * target.weight_unit;
        out.mean = origin + static_cast<double>(sum) / static_cast<double>(totals.weight) * unit;
    } else {
        LongReal weighted, squares;
        for (const std::uint32_t row : rows) {
            const double off = numbers[block.row_of[row]] - origin;
            const double product = static_cast<double>(block.weights[row]) * target.weight_unit * off;
            weighted.add(product);
            squares.add(product * off);
        }
        const double weight = static_cast<double>(totals.weight) * target.weight_unit;
        out.squares = squares_about_mean(weight, weighted.settled(), squares.settled());
        out.mean = origin + weighted.settled().high / weight;
    }
    for (std::size_t i = 1; i < rows.size() && out.is_one; ++i)
        out.is_one = numbers[block.row_of[rows[i]]] == numbers[block.row_of[rows[0]]];
    out.squares = out.is_one ? 0.0 : std::max(out.squares, 0.0);
    if (out.is_one) out.mean = numbers[block.row_of[rows[0]]];
    return out;
}

double half_deviance(const Scoring& s, const AnyBlock& block, std::span<const std::uint32_t> rows, double mean) {
    double out = 0.0;
    for (const std::uint32_t row : rows) {
        const double y = s.plan.target.numbers[block.row_of[row]];
        out += static_cast<double>(block.weight_of(row)) * rate_divergence((y - mean) / mean);
    }
    return out;
}

// Adds rows to a cell; unweighted rows of classes are counted.
template <Statistic S>
void add_rows(const S& statistic, const RowTargets& targets, std::span<const std::uint32_t> rows, std::int64_t* cell) {
    if constexpr (Counts<S>) {
        if (!targets.weights) {
            for (const std::uint32_t row : rows) ++cell[statistic.entry(targets, row)];
            return;
        }
    }
    for (const std::uint32_t row : rows) statistic.add(targets, row, cell);
}

}  // namespace

Totals sum_rows(const Scoring& s, const AnyBlock& block, const std::uint32_t* first, std::int32_t n) {
    const std::span<const std::uint32_t> rows(first, static_cast<std::size_t>(n));
    Totals out;
    out.rows = n;
    out.cell.assign(s.statistic.width(), 0);
    check_stop(n + s.statistic.width());
    std::visit(
        [&](const auto& statistic) {
            add_rows(statistic, block.targets(), rows, out.cell.data());
            out.weight = statistic.weight(out.cell.data());
        },
        s.statistic);
    s.set_squares(out);
    if (s.plan.target.is_class() || n == 0) return out;
    out.is_one_number = true;
    for (int at = 0; at + 1 < s.statistic.width(); ++at) {
        const Spread spread = spread_of(s, block, rows, out, static_cast<std::size_t>(at));
        if (at == 0) out.mean = spread.mean;
        out.spread += spread.squares;
        out.is_one_number = out.is_one_number && spread.is_one;
    }
    if (s.is_poisson && out.mean > 0) out.deviance = half_deviance(s, block, rows, out.mean);
    return out;
}

}  // namespace hornbeam
