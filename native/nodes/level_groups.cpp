#include "nodes/level_groups.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "core/stop.hpp"

namespace hornbeam {
namespace {

// What a search knows of a column at a node.
LevelTask task_of(const Scoring& s, const Totals& totals, double impurity, double tolerance, std::int32_t column) {
    LevelTask task{.criterion = *s.criterion};
    task.limits.min_size = s.fixed_min_size;
    task.limits.tolerance = tolerance;
    task.n_declared = static_cast<int>(s.columns[column].n_codes);
    task.weight_unit = s.plan.target.weight_unit;
    task.min_leaf_weight = s.plan.stops.min_leaf_weight;
    const double weight = static_cast<double>(totals.weight) * task.weight_unit;
    task.set_penalty = (s.plan.target.is_class() ? 1.0 : impurity) / weight;
    const std::uint64_t sampled = child_id(totals.id, static_cast<std::uint64_t>(column));
    task.key = key(s.plan.seed, Purpose::other, s.plan.tree, sampled);
    return task;
}

// Adds declared levels that no row of the node has.
void add_absent(const LevelTable& table, const LevelSplit& split, int n_declared, Candidate& out) {
    if (split.absent == LevelSplit::NO_BRANCH) return;
    Grouping& groups = *out.groups;
    std::vector<std::int32_t> branch(n_declared, split.absent);
    if (split.absent == LevelSplit::OWN_BRANCHES) {
        std::iota(branch.begin(), branch.end(), 0);
        out.n_branches = n_declared;
        if (split.missing >= 0) out.missing_branch = static_cast<std::int32_t>(table.present[split.missing]);
    } else {
        for (std::size_t i = 0; i < groups.levels.size(); ++i) branch[groups.levels[i]] = groups.branch[i];
    }
    groups.branch = std::move(branch);
    groups.levels.resize(n_declared);
    std::iota(groups.levels.begin(), groups.levels.end(), 0u);
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
    const LevelSearch& search = *s.plan.levels;
    LevelTask task = task_of(s, totals, impurity, s.tolerance(impurity) / fraction, out.column);
    const ZeroGain zero_gain = search.zero_gain(task.n_declared);
    // The average of the gains includes questions of gain 0, even if they are not admissible.
    const bool counts_zero = s.finds_zero || s.choice != Choice::first_best;
    const bool finds_zero = zero_gain == ZeroGain::admissible || (zero_gain == ZeroGain::if_counted && counts_zero);
    if (finds_zero) task.limits.floor = -std::numeric_limits<double>::infinity();
    LevelSplit split = search.best(table, task);
    if (split.n_branches == 0) return;
    const double penalty = split.penalty / (s.is_ratio ? 1.0 : fraction);
    if (penalty > 0 && !finds_zero && split.score - penalty <= task.limits.tolerance) return;
    out.type = Candidate::Type::map;
    out.score = split.score - penalty;
    out.is_free = zero_gain == ZeroGain::admissible;
    out.is_multiway = search.is_multiway();
    if (out.is_multiway) out.rank = Candidate::MULTIWAY_RANK;
    out.n_branches = split.n_branches;
    out.missing_branch = split.missing;
    if (!table.own.empty()) out.own = OwnBranch::scored;
    if (s.needs_information) out.information = grouping_information(table, split.branch, out);
    out.groups = std::make_shared<Grouping>();
    out.groups->levels = table.present;
    out.groups->branch = std::move(split.branch);
    add_absent(table, split, task.n_declared, out);
    s.finish(out, fraction, split.tried, totals);
    out.gain += split.penalty;
}

}  // namespace hornbeam
