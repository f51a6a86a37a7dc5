// Which grouping of a column's levels is best at a node?  Picks the search that the plan names, and makes its answer a
// candidate.
#include <algorithm>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "core/weight_limits.hpp"
#include "growing/search.hpp"

namespace hornbeam {

LevelSplit ColumnSearch::group_levels(const LevelTable& table, const LevelLimits& limits, const Totals& totals,
                                      std::int32_t column, double impurity) const {
    switch (plan_.nominal) {
        case NominalSearch::one_value:
            return one_value(table, *criterion_, limits, plan_.by_ratio);
        case NominalSearch::ordered_categories:
            return ordered_categories(table, *criterion_, limits);
        case NominalSearch::all_subsets:
            return all_subsets(table, *criterion_, limits);
        case NominalSearch::each_value:
            return each_value(table, *criterion_, limits);
        case NominalSearch::best_subset:
            return best_subset(table, limits);
        case NominalSearch::chou:
            return chou(table, *criterion_, limits);
        case NominalSearch::superclasses:
            return superclasses(table, *criterion_, limits, plan_.criterion_chooses);
        case NominalSearch::random_subsets: {
            const std::uint64_t drawn = child_id(totals.id, static_cast<std::uint64_t>(column));
            return random_subsets(table, *criterion_, limits, plan_.tries,
                                  key(plan_.seed, Purpose::other, plan_.tree, drawn));
        }
        case NominalSearch::many_levels:
            return group_many(table, limits, totals, impurity);
        case NominalSearch::c45_groups:
            return columns_[column].n_codes <= 2 ? each_value(table, *criterion_, limits)
                                                 : group_as_c45(table, limits, column);
        default:
            return {};
    }
}

LevelSplit ColumnSearch::group_as_c45(const LevelTable& table, const LevelLimits& limits, std::int32_t column) const {
    const double unit = plan_.target.weight_unit;
    return c45_groups(table, *criterion_, limits,
                      {static_cast<int>(columns_[column].n_codes), unit, plan_.min_leaf_weight});
}

LevelSplit ColumnSearch::best_subset(const LevelTable& table, const LevelLimits& limits) const {
    if (plan_.every_set && table.size() <= plan_.try_all) return all_subsets(table, *criterion_, limits);
    if (table.has_order()) return ordered_categories(table, *criterion_, limits);
    if (table.size() <= plan_.try_all) return all_subsets(table, *criterion_, limits);
    return chou(table, *criterion_, limits);
}

LevelSplit ColumnSearch::group_many(const LevelTable& table, const LevelLimits& limits, const Totals& totals,
                                    double impurity) const {
    const double unit = plan_.target.weight_unit;
    const int m = table.size();
    if (m <= plan_.most_levels && reaches(static_cast<double>(table.total_weight) * unit, plan_.few * m))
        return best_subset(table, limits);
    const double each = plan_.target.is_class() ? 1.0 : impurity;
    const double toll = plan_.penalizes_sets ? each / (static_cast<double>(totals.weight) * unit) : 0.0;
    return many_levels(table, *criterion_, limits, {plan_.min_level_weight, plan_.shrinkage, unit, toll});
}

void ColumnSearch::judge_groups(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const {
    const double share = table.unknown > 0 ? table.mass() / mass(totals) : 1.0;
    LevelLimits limits;
    limits.least = least(table.total_weight, false);
    limits.tolerance = tolerance(impurity) / share;
    limits.size_limit = plan_.size_limit;
    // C4.5's average counts questions of gain 0, whether or not they may be asked.
    const bool is_grouped = plan_.nominal == NominalSearch::c45_groups && columns_[out.column].n_codes > 2;
    const bool is_free = plan_.admits_zero && !is_grouped;
    const bool finds_zero = (is_free || plan_.zero_gain || plan_.c45) && !is_grouped;
    if (finds_zero) limits.floor = -std::numeric_limits<double>::infinity();
    LevelSplit split = group_levels(table, limits, totals, out.column, impurity);
    if (split.n_branches == 0) return;
    const double toll = split.toll / (is_ratio_ ? 1.0 : share);
    if (toll > 0 && !finds_zero && split.score - toll <= limits.tolerance) return;
    out.type = Candidate::Type::map;
    out.score = split.score - toll;
    out.is_free = is_free;
    out.n_branches = split.n_branches;
    if (plan_.c45 || is_ratio_) {
        std::vector<double> sides(split.n_branches, 0.0);
        for (int i = 0; i < table.size(); ++i) sides[split.branch[i]] += total(table.of(i), table.width);
        if (split.missing >= 0) sides[split.missing] += total(table.holes.data(), table.width);
        const double apart = table.own.empty() ? table.unknown : total(table.own.data(), table.width);
        out.information = split_information({nullptr, sides.data(), split.n_branches, 1, apart}, true);
    }
    out.missing_branch = split.missing;
    out.groups = std::make_shared<Grouping>();
    Grouping& groups = *out.groups;
    groups.levels = table.present;
    groups.branch = std::move(split.branch);
    if (plan_.asks_each()) name_declared(table, split.missing, out);
    if (plan_.declared_levels && plan_.nominal == NominalSearch::one_value) {
        const auto inside = std::find(groups.branch.begin(), groups.branch.end(), 0) - groups.branch.begin();
        const std::uint32_t level = groups.levels[inside];
        groups.levels.resize(columns_[out.column].n_codes);
        std::iota(groups.levels.begin(), groups.levels.end(), 0u);
        groups.branch.assign(groups.levels.size(), 1);
        groups.branch[level] = 0;
    }
    finish(out, share, split.tried, totals);
    out.gain += split.toll;
}

// Declared levels that no row of the node has: a branch each, or the default branch of C4.5's groups, which is the
// last.
void ColumnSearch::name_declared(const LevelTable& table, int missing, Candidate& out) const {
    const auto n_codes = static_cast<std::int32_t>(columns_[out.column].n_codes);
    const bool is_grouped = plan_.nominal == NominalSearch::c45_groups && n_codes > 2;
    if (!is_grouped && plan_.nominal == NominalSearch::each_value && !plan_.declared_levels) return;
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

}  // namespace hornbeam
