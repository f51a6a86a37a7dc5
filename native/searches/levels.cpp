#include "searches/levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/stop.hpp"
#include "searches/level_order.hpp"

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

void make_canonical(std::vector<std::int32_t>& branch) {
    const auto left = std::count(branch.begin(), branch.end(), 0);
    const auto right = static_cast<std::ptrdiff_t>(branch.size()) - left;
    if (left < right || (left == right && branch[0] == 0)) return;
    for (auto& b : branch) b = 1 - b;
}

namespace {

void set_prefix(const LevelTable& table, const std::vector<int>& order, int length, LevelSplit& out) {
    out.n_branches = 2;
    out.branch.assign(table.size(), 1);
    for (int i = 0; i < length; ++i) out.branch[order[i]] = 0;
}

}  // namespace

// The best prefix of the order by rate. Sets are visited by the size of their smaller side; of the two sets of one size
// (a prefix, and the rest of a longer one) the one with the lower code comes first.
LevelSplit ordered_categories(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    const int m = table.size();
    std::vector<double> rate(m);
    for (int i = 0; i < m; ++i) rate[i] = table.rate(i);
    const std::vector<int> order = in_order(rate, table.key_scale(rate));
    constexpr double EXCLUDED = -std::numeric_limits<double>::infinity();
    std::vector<double> score(m, EXCLUDED);  // per length of the prefix
    std::vector<int> missing(m, -1);
    std::vector<int> from_right(m + 1, m);  // the lowest code of the last levels
    for (int i = m - 1; i >= 0; --i) from_right[i] = std::min(from_right[i + 1], order[i]);
    TwoSides sides(table, criterion);
    for (int length = 1; length < m; ++length) {
        sides.add(order[length - 1]);
        const bool is_turned = 2 * length > m || (2 * length == m && from_right[length] == 0);
        const GroupingScore found = sides.best_score(limits, out.tried, is_turned);
        if (found.is_allowed) score[length] = found.score, missing[length] = found.missing;
    }
    double best = limits.floor;
    int chosen = 0, from_left = m;
    const auto visit = [&](int length) {
        if (score[length] - best > limits.tolerance) best = score[length], chosen = length;
    };
    for (int size = 1; 2 * size <= m; ++size) {
        from_left = std::min(from_left, order[size - 1]);
        const bool left_first = from_left < from_right[m - size];
        visit(left_first ? size : m - size);
        if (2 * size < m) visit(left_first ? m - size : size);
    }
    if (chosen > 0) {
        out.score = best;
        set_prefix(table, order, chosen, out);
        const std::int32_t before = out.branch[0];
        make_canonical(out.branch);
        out.missing = missing[chosen] < 0 || out.branch[0] == before ? missing[chosen] : 1 - missing[chosen];
    }
    return out;
}

LevelSplit level_vs_rest(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    TwoSides sides(table, criterion);
    double best = limits.by_ratio ? -std::numeric_limits<double>::infinity() : limits.floor;
    const int most = table.size() == 2 ? 1 : table.size();
    for (int i = 0; i < most; ++i) {
        sides.clear();
        sides.add(i);
        const GroupingScore found = sides.best_score(limits, out.tried);
        if (found.is_allowed && found.value - best > limits.tolerance) {
            best = found.value;
            out.score = found.score;
            out.missing = found.missing;
            set_prefix(table, {i}, 1, out);
        }
    }
    if (limits.by_ratio && !(out.score - limits.floor > limits.tolerance)) out.n_branches = 0;
    return out;
}

LevelSplit all_subsets(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    const int m = table.size();
    const int half = m / 2;
    const int largest = limits.size_limit > 0 ? std::min(limits.size_limit, half) : half;
    TwoSides sides(table, criterion);
    double best = limits.floor;
    for (int size = 1; size <= largest; ++size) {
        std::vector<int> chosen(size);
        std::iota(chosen.begin(), chosen.end(), 0);
        while (true) {
            if (2 * size == m && chosen[0] != 0) break;  // the complement was tried already
            sides.clear();
            for (const int level : chosen) sides.add(level);
            const GroupingScore found = sides.best_score(limits, out.tried);
            if (found.is_allowed && found.score - best > limits.tolerance) {
                out.score = best = found.score;
                out.missing = found.missing;
                set_prefix(table, chosen, size, out);
            }
            int i = size - 1;
            while (i >= 0 && chosen[i] == m - size + i) --i;
            if (i < 0) break;
            ++chosen[i];
            for (int j = i + 1; j < size; ++j) chosen[j] = chosen[j - 1] + 1;
        }
    }
    return out;
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

LevelSplit multiway(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    int enough = 0;
    for (int i = 0; i < table.size(); ++i)
        enough += table.rows[i] >= limits.min_size.rows && table.weight[i] >= limits.min_size.weight;
    if (enough < 2) return out;
    out.tried = 1;
    const double score = score_branches(table, criterion, limits.tolerance, {table.stats, table.weight}, out.missing);
    if (score - limits.floor > limits.tolerance) {
        out.score = score;
        out.n_branches = table.size();
        out.branch.resize(table.size());
        std::iota(out.branch.begin(), out.branch.end(), 0);
    }
    return out;
}

}  // namespace hornbeam
