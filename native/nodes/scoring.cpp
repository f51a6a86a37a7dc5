#include "nodes/scoring.hpp"

#include <algorithm>
#include <cmath>

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
    if (plan.criterion.quantile < 0) return make_criterion(plan.criterion.name);
    return std::make_unique<QuantileRisk>(QuantileRule{plan.criterion.quantile, plan.criterion.scale});
}

// The least sizes of the sides of a question; those of cuts may be relative to the node.
Least computed_least(const Scoring& s, std::int64_t known_weight, bool is_cut) {
    Least out;
    out.zero_gain = s.plan.criterion.zero_gain;
    out.rows = std::max<std::int64_t>(s.plan.stops.min_leaf, 1);
    double weight = s.plan.stops.min_leaf_weight / s.plan.target.weight_unit;
    if (s.penalizes_cuts && is_cut) {
        const double known = static_cast<double>(known_weight) * s.plan.target.weight_unit;
        const double share =
            std::min(std::max(0.1 * known / s.plan.target.n_classes, s.plan.stops.min_leaf_weight), 25.0);
        weight = std::max(share, s.plan.stops.min_leaf_weight) / s.plan.target.weight_unit;
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
    if (plan.criterion.asks_quantile()) targets = ranked_targets(plan);
    const Target& target = plan.target;
    const bool is_unscaled = target.class_scale.empty();
    const std::int64_t weight = whole_weight(plan);
    root_weight = static_cast<double>(weight);
    is_gini = plan.criterion.name == "gini";
    is_ratio = plan.criterion.name == "gain_ratio";
    is_poisson = plan.criterion.name == "poisson";
    if (plan.criterion.c45) choice = plan.criterion.c45_by_gain ? Choice::gain : Choice::ratio_above_average;
    needs_information = plan.criterion.c45 || is_ratio;
    needs_gap = penalizes_cuts = plan.criterion.c45;
    const std::string& name = plan.criterion.name;
    if (name == "squared_error") kernel = CutKernel::moments;
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
    } else {
        factor = {target.weight_unit, target.unit * target.weight_unit};
    }
    plain_least = computed_least(*this, 0, false);
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
    std::vector<double> stats(totals.counts.size());
    for (std::size_t k = 0; k < stats.size(); ++k) stats[k] = static_cast<double>(totals.counts[k]) * factor[k];
    return std::max(0.0, criterion->impurity(stats.data(), static_cast<int>(stats.size())));
}

double Scoring::mass(const Totals& totals) const {
    if (!plan.target.is_class()) return static_cast<double>(totals.weight) * plan.target.weight_unit;
    double sum = 0;
    for (std::size_t k = 0; k < totals.counts.size(); ++k) sum += static_cast<double>(totals.counts[k]) * factor[k];
    return sum;
}

bool Scoring::is_pure(const Totals& totals) const {
    if (!plan.target.is_class()) return totals.is_one_number;
    return std::any_of(totals.counts.begin(), totals.counts.end(), [&](auto c) { return c == totals.weight; });
}

double Scoring::largest_share(const Totals& totals) const {
    if (!plan.target.is_class()) return 0.0;
    double most = 0, all = 0;
    for (std::size_t k = 0; k < totals.counts.size(); ++k) {
        const double w = static_cast<double>(totals.counts[k]) * factor[k];
        most = std::max(most, w);
        all += w;
    }
    return all > 0 ? most / all : 1.0;
}

Least Scoring::least(std::int64_t known_weight, bool is_cut) const {
    return penalizes_cuts && is_cut ? computed_least(*this, known_weight, true) : plain_least;
}

void Scoring::add_stats(const std::int64_t* counts, const Totals& center, double* stats) const {
    if (!plan.target.is_class()) {
        stats[0] += static_cast<double>(counts[0]) * factor[0];
        stats[1] += center.center().of(counts[0], counts[1]) * factor[1];
        return;
    }
    for (std::size_t k = 0; k < factor.size(); ++k) stats[k] += static_cast<double>(counts[k]) * factor[k];
}

void Scoring::finish(Candidate& c, double known_share, int tried, const Totals& totals) const {
    if (!is_ratio) c.score *= known_share;
    c.gain = c.score;
    if (penalizes_cuts && c.type == Candidate::Type::cut) {
        const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
        c.score -= std::log2(static_cast<double>(tried)) / weight;
        if (c.score <= 0) c.type = Candidate::Type::none;
    }
}

Totals sum_rows(const Scoring& s, const AnyBlock& block, const std::uint32_t* rows, std::int32_t n) {
    Totals out;
    out.rows = n;
    const Target& target = s.plan.target;
    check_stop(n + target.n_classes);
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    if (target.is_class()) {
        out.counts.assign(target.n_classes, 0);
        if (weights)
            for (std::int32_t i = 0; i < n; ++i) out.counts[block.classes[rows[i]]] += weights[rows[i]];
        else
            for (std::int32_t i = 0; i < n; ++i) ++out.counts[block.classes[rows[i]]];
        for (const std::int64_t c : out.counts) out.weight += c;
        s.set_squares(out);
        return out;
    }
    if (n == 0) return out;
    for (std::int32_t i = 0; i < n; ++i) {
        out.sum += block.sums[rows[i]];
        out.weight += weights ? weights[rows[i]] : 1;
    }
    // Rows of one unit: exact in integers. Others: doubles in row order, from the target itself, because the sum of a
    // light row is a small integer that has lost its digits.
    if (!weights) {
        const std::int64_t centre = out.sum / n;
        Wide squares = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            const std::int64_t off = block.sums[rows[i]] - centre;
            squares += static_cast<Wide>(off) * off;
        }
        const double rest = static_cast<double>(out.sum - centre * n);
        out.spread = (static_cast<double>(squares) - rest * rest / n) * target.unit * target.unit * target.weight_unit;
        out.mean = s.mean_target(out.center());
    } else {
        double sum = 0;
        for (std::int32_t i = 0; i < n; ++i)
            sum += static_cast<double>(weights[rows[i]]) * (target.numbers[block.row_of[rows[i]]] - target.origin);
        const double mean = sum / static_cast<double>(out.weight);
        for (std::int32_t i = 0; i < n; ++i) {
            const double off = target.numbers[block.row_of[rows[i]]] - target.origin - mean;
            out.spread += static_cast<double>(weights[rows[i]]) * off * off;
        }
        out.spread *= target.weight_unit;
        out.mean = target.origin + mean;
    }
    out.is_one_number = true;
    for (std::int32_t i = 1; i < n && out.is_one_number; ++i)
        out.is_one_number = target.numbers[block.row_of[rows[i]]] == target.numbers[block.row_of[rows[0]]];
    out.spread = out.is_one_number ? 0.0 : std::max(out.spread, 0.0);
    if (out.is_one_number) out.mean = target.numbers[block.row_of[rows[0]]];
    const double centre = s.is_poisson ? out.mean : 0.0;
    if (centre > 0)
        for (std::int32_t i = 0; i < n; ++i) {
            const double y = target.numbers[block.row_of[rows[i]]];
            const double w = weights ? static_cast<double>(weights[rows[i]]) : 1.0;
            out.deviance += w * rate_divergence((y - centre) / centre);
        }
    return out;
}

}  // namespace hornbeam
