#include "searches/levels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/stop.hpp"

namespace hornbeam {
namespace {

// The rest of a sum; 0 if it is only rounding, whose square root would affect a criterion.
double rest_of(double whole, double part) {
    const double rest = whole - part;
    return std::fabs(rest) <= 1e-14 * std::fabs(whole) ? 0.0 : rest;
}

}  // namespace

void TwoSides::clear() {
    rows_ = weight_ = 0;
    std::fill(sides_.begin(), sides_.begin() + table_.width, 0.0);
    std::copy(table_.parent.begin(), table_.parent.end(), sides_.begin() + table_.width);
}

void TwoSides::add(int level) {
    const double* stats = table_.of(level);
    check_stop(table_.width);
    for (int k = 0; k < table_.width; ++k) {
        sides_[k] += stats[k];
        sides_[table_.width + k] = rest_of(table_.parent[k], sides_[k]);
    }
    rows_ += table_.rows[level];
    weight_ += table_.weight[level];
}

CountedBranches::CountedBranches(const LevelTable& table, std::vector<double> known, int missing)
    : parent(table.parent), stats(std::move(known)), unknown(table.unknown) {
    for (int k = 0; k < table.width; ++k) {
        if (!table.own.empty()) parent[k] += table.own[k];
        if (missing >= 0) parent[k] += table.missing[k], stats[missing * table.width + k] += table.missing[k];
    }
    stats.insert(stats.end(), table.own.begin(), table.own.end());
}

GroupingScore TwoSides::scored(const LevelLimits& limits, int missing) const {
    const auto score_split = [&](const SplitStats& split) -> GroupingScore {
        const double score = criterion_.score(split);
        return {true, score, limits.by_ratio ? score / split_information(split, table_.is_number) : score, missing};
    };
    if (table_.own.empty() && missing < 0) return score_split(table_.split(table_.parent, sides_, table_.unknown));
    return score_split(CountedBranches(table_, sides_, missing).split(table_));
}

GroupingScore TwoSides::best_score(const LevelLimits& limits, int& tried, bool right_is_first) const {
    GroupingScore out;
    if (table_.missing.empty()) {
        if (!allows(limits.min_size)) return out;
        ++tried;
        return scored(limits, -1);
    }
    const std::int64_t other = table_.total_weight - weight_;
    const bool left_first = right_is_first ? weight_ > other : weight_ >= other;
    for (const int side : {left_first ? 0 : 1, left_first ? 1 : 0}) {
        const std::int64_t rows = rows_ + (side == 0 ? table_.missing_rows : 0);
        const std::int64_t weight = weight_ + (side == 0 ? table_.missing_weight : 0);
        const std::int64_t more_rows = table_.total_rows + table_.missing_rows - rows;
        const std::int64_t more_weight = table_.total_weight + table_.missing_weight - weight;
        if (rows < limits.min_size.rows || more_rows < limits.min_size.rows || weight < limits.min_size.weight ||
            more_weight < limits.min_size.weight)
            continue;
        ++tried;
        const GroupingScore found = scored(limits, side);
        if (!out.is_allowed || found.value - out.value > limits.tolerance) out = found;
    }
    return out;
}

void set_sides(const LevelTable& table, const std::vector<int>& inside, LevelSplit& out) {
    out.n_branches = 2;
    out.branch.assign(table.size(), 1);
    for (const int level : inside) out.branch[level] = 0;
}

void make_canonical(std::vector<std::int32_t>& branch) {
    const auto left = std::count(branch.begin(), branch.end(), 0);
    const auto right = static_cast<std::ptrdiff_t>(branch.size()) - left;
    if (left < right || (left == right && branch[0] == 0)) return;
    for (auto& b : branch) b = 1 - b;
}

double score_branches(const LevelTable& table, const Criterion& criterion, double tolerance, const Branches& branches,
                      int& missing) {
    const auto score_with = [&](int missing_branch) {
        check_stop(static_cast<std::int64_t>(branches.stats.size()));
        return criterion.score(CountedBranches(table, branches.stats, missing_branch).split(table));
    };
    missing = -1;
    if (table.missing.empty()) return score_with(-1);
    std::vector<int> order(branches.weight.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return branches.weight[a] > branches.weight[b]; });
    double best = 0.0;
    for (const int branch : order) {
        if (branches.weight[branch] == 0) continue;
        const double score = score_with(branch);
        if (missing < 0 || score - best > tolerance) best = score, missing = branch;
    }
    return best;
}

}  // namespace hornbeam
