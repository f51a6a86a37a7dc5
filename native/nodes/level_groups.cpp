#include "nodes/level_groups.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "core/stop.hpp"
#include "core/weight_limits.hpp"

namespace hornbeam {
namespace {

LevelSplit group_as_c45(const Scoring& s, const LevelTable& table, const LevelLimits& limits, std::int32_t column) {
    const double unit = s.plan.target.weight_unit;
    return c45_groups(table, *s.criterion, limits,
                      {static_cast<int>(s.columns[column].n_codes), unit, s.plan.stops.min_leaf_weight});
}

LevelSplit best_subset(const Scoring& s, const LevelTable& table, const LevelLimits& limits) {
    if (s.plan.levels.every_set && table.size() <= s.plan.levels.try_all)
        return all_subsets(table, *s.criterion, limits);
    if (table.has_order()) return ordered_categories(table, *s.criterion, limits);
    if (table.size() <= s.plan.levels.try_all) return all_subsets(table, *s.criterion, limits);
    return chou(table, *s.criterion, limits);
}

LevelSplit group_many(const Scoring& s, const LevelTable& table, const LevelLimits& limits, const Totals& totals,
                      double impurity) {
    const double unit = s.plan.target.weight_unit;
    const int m = table.size();
    if (m <= s.plan.levels.many && reaches(static_cast<double>(table.total_weight) * unit, s.plan.levels.few * m))
        return best_subset(s, table, limits);
    const double each = s.plan.target.is_class() ? 1.0 : impurity;
    const double penalty = s.plan.levels.penalizes_sets ? each / (static_cast<double>(totals.weight) * unit) : 0.0;
    return many_levels(table, *s.criterion, limits, {s.plan.levels.min_weight, s.plan.levels.shrinkage, unit, penalty});
}

LevelSplit group_levels(const Scoring& s, const LevelTable& table, const LevelLimits& limits, const Totals& totals,
                        std::int32_t column, double impurity) {
    switch (s.plan.levels.search) {
        case NominalSearch::level_vs_rest:
            return level_vs_rest(table, *s.criterion, limits);
        case NominalSearch::ordered_categories:
            return ordered_categories(table, *s.criterion, limits);
        case NominalSearch::all_subsets:
            return all_subsets(table, *s.criterion, limits);
        case NominalSearch::multiway:
            return multiway(table, *s.criterion, limits);
        case NominalSearch::best_subset:
            return best_subset(s, table, limits);
        case NominalSearch::chou:
            return chou(table, *s.criterion, limits);
        case NominalSearch::superclasses:
            return superclasses(table, *s.criterion, limits, s.plan.levels.criterion_chooses);
        case NominalSearch::random_subsets: {
            const std::uint64_t sampled = child_id(totals.id, static_cast<std::uint64_t>(column));
            return random_subsets(table, *s.criterion, limits, s.plan.levels.tries,
                                  key(s.plan.seed, Purpose::other, s.plan.tree, sampled));
        }
        case NominalSearch::many_levels:
            return group_many(s, table, limits, totals, impurity);
        case NominalSearch::c45_groups:
            return s.columns[column].n_codes <= 2 ? multiway(table, *s.criterion, limits)
                                                  : group_as_c45(s, table, limits, column);
        default:
            return {};
    }
}

// Adds declared levels that no row of the node has: to a branch each, or to the last branch of C4.5's groups.
void name_declared(const Scoring& s, const LevelTable& table, int missing, Candidate& out) {
    const auto n_codes = static_cast<std::int32_t>(s.columns[out.column].n_codes);
    const bool is_grouped = s.plan.levels.search == NominalSearch::c45_groups && n_codes > 2;
    if (!is_grouped && s.plan.levels.search == NominalSearch::multiway && !s.plan.levels.declared) return;
    Grouping& groups = *out.groups;
    std::vector<std::uint32_t> every(n_codes);
    std::iota(every.begin(), every.end(), 0u);
    if (is_grouped) {
        std::vector<std::int32_t> branch(n_codes, out.n_branches - 1);
        for (std::size_t i = 0; i < groups.levels.size(); ++i) branch[groups.levels[i]] = groups.branch[i];
        groups.branch = std::move(branch);
    } else {
        out.n_branches = n_codes;
        groups.branch.assign(every.begin(), every.end());
        if (missing >= 0) out.missing_branch = static_cast<std::int32_t>(table.present[missing]);
    }
    groups.levels = std::move(every);
}

}  // namespace

void fill_levels(const Scoring& s, const Totals& totals, std::uint32_t n_codes, Scratch& scratch) {
    const Target& target = s.plan.target;
    const CodeTable& codes = scratch.codes;
    LevelTable& table = scratch.levels;
    const int width = codes.width;
    const std::size_t m = codes.present.size();
    table.present = codes.present;
    table.width = width;
    table.is_number = !target.is_class();
    table.rows.resize(m);
    table.weight.resize(m);
    table.stats.assign(m * width, 0.0);
    table.parent.assign(width, 0.0);
    table.total_rows = codes.known;
    table.total_weight = 0;
    s.set_target_scale(totals, table);
    for (std::size_t i = 0; i < m; ++i) {
        check_stop(2 * width);
        const std::int64_t* counts = codes.of(codes.present[i]);
        s.statistic.add_real(counts, totals.cell.data(), table.stats.data() + i * width);
        for (int k = 0; k < width; ++k) table.parent[k] += table.stats[i * width + k];
        table.rows[i] = codes.rows[codes.present[i]];
        table.weight[i] = s.statistic.weight(counts);
        table.total_weight += table.weight[i];
    }
    table.unknown = codes.rows[n_codes] > 0 ? s.mass(totals) - table.mass() : 0.0;
}

double grouping_information(const LevelTable& table, const std::vector<std::int32_t>& branch, const Candidate& split) {
    std::vector<double> sides(split.n_branches, 0.0);
    for (int i = 0; i < table.size(); ++i) sides[branch[i]] += table.weight_in(table.of(i));
    if (split.missing_branch >= 0) sides[split.missing_branch] += table.weight_in(table.missing.data());
    const double apart = table.own.empty() ? table.unknown : table.weight_in(table.own.data());
    return split_information({nullptr, sides.data(), split.n_branches, 1, apart}, true);
}

void score_groups(const Scoring& s, const LevelTable& table, const Totals& totals, double impurity, Candidate& out) {
    const double fraction = table.unknown > 0 ? table.mass() / s.mass(totals) : 1.0;
    LevelLimits limits;
    limits.min_size = s.fixed_min_size;
    limits.tolerance = s.tolerance(impurity) / fraction;
    limits.size_limit = s.plan.levels.size_limit;
    limits.by_ratio = s.plan.levels.by_ratio;
    // The average of the gains includes questions of gain 0, even if they are not admissible.
    const bool is_grouped = s.plan.levels.search == NominalSearch::c45_groups && s.columns[out.column].n_codes > 2;
    const bool is_free = s.plan.levels.allows_zero_gain && !is_grouped;
    const bool finds_zero = (is_free || s.finds_zero || s.choice != Choice::first_best) && !is_grouped;
    if (finds_zero) limits.floor = -std::numeric_limits<double>::infinity();
    LevelSplit split = group_levels(s, table, limits, totals, out.column, impurity);
    if (split.n_branches == 0) return;
    const double penalty = split.penalty / (s.is_ratio ? 1.0 : fraction);
    if (penalty > 0 && !finds_zero && split.score - penalty <= limits.tolerance) return;
    out.type = Candidate::Type::map;
    out.score = split.score - penalty;
    out.is_free = is_free;
    if (s.plan.levels.is_multiway()) out.rank = Candidate::MULTIWAY_RANK;
    out.n_branches = split.n_branches;
    out.missing_branch = split.missing;
    if (!table.own.empty()) out.own = OwnBranch::scored;
    if (s.needs_information) out.information = grouping_information(table, split.branch, out);
    out.groups = std::make_shared<Grouping>();
    Grouping& groups = *out.groups;
    groups.levels = table.present;
    groups.branch = std::move(split.branch);
    out.is_multiway = s.plan.levels.is_multiway();
    if (out.is_multiway) name_declared(s, table, split.missing, out);
    if (s.plan.levels.declared && s.plan.levels.search == NominalSearch::level_vs_rest) {
        const auto inside = std::find(groups.branch.begin(), groups.branch.end(), 0) - groups.branch.begin();
        const std::uint32_t level = groups.levels[inside];
        groups.levels.resize(s.columns[out.column].n_codes);
        std::iota(groups.levels.begin(), groups.levels.end(), 0u);
        groups.branch.assign(groups.levels.size(), 1);
        groups.branch[level] = 0;
    }
    s.finish(out, fraction, split.tried, totals);
    out.gain += split.penalty;
}

}  // namespace hornbeam
