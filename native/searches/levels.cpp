#include "searches/levels.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hornbeam {

void TwoSides::clear() {
    rows_ = weight_ = 0;
    std::fill(sides_.begin(), sides_.begin() + table_.width, 0.0);
    std::copy(table_.parent.begin(), table_.parent.end(), sides_.begin() + table_.width);
}

void TwoSides::add(int level) {
    const double* stats = table_.of(level);
    for (int k = 0; k < table_.width; ++k) {
        sides_[k] += stats[k];
        sides_[table_.width + k] = table_.parent[k] - sides_[k];
    }
    rows_ += table_.rows[level];
    weight_ += table_.weight[level];
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

// Prefixes of the order by rate. Sets are visited by size, the smaller side naming the set; of the two sets of one size
// (a prefix, and what is left of a longer one) the one with the lower code comes first.
LevelSplit ordered_categories(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    const int m = table.size();
    std::vector<double> rate(m);
    for (int i = 0; i < m; ++i) {
        const double* s = table.of(i);
        double all = 0;
        for (int k = 0; k < table.width; ++k) all += s[k];
        rate[i] = table.is_number ? s[1] / s[0] : s[table.width - 1] / all;
    }
    std::vector<int> order(m);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rate[a] < rate[b]; });
    constexpr double BARRED = -std::numeric_limits<double>::infinity();
    std::vector<double> score(m, BARRED);   // of the prefix of each length
    std::vector<int> from_right(m + 1, m);  // the lowest code among the last levels
    for (int i = m - 1; i >= 0; --i) from_right[i] = std::min(from_right[i + 1], order[i]);
    TwoSides sides(table, criterion);
    for (int length = 1; length < m; ++length) {
        sides.add(order[length - 1]);
        if (!sides.allows(limits.least)) continue;
        ++out.tried;
        score[length] = sides.score();
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
        make_canonical(out.branch);
    }
    return out;
}

LevelSplit one_value(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    TwoSides sides(table, criterion);
    double best = limits.floor;
    const int most = table.size() == 2 ? 1 : table.size();
    for (int i = 0; i < most; ++i) {
        sides.clear();
        sides.add(i);
        if (!sides.allows(limits.least)) continue;
        ++out.tried;
        const double score = sides.score();
        if (score - best > limits.tolerance) {
            out.score = best = score;
            set_prefix(table, {i}, 1, out);
        }
    }
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
            if (2 * size == m && chosen[0] != 0) break;  // the other half was tried already
            sides.clear();
            for (const int level : chosen) sides.add(level);
            if (sides.allows(limits.least)) {
                ++out.tried;
                const double score = sides.score();
                if (score - best > limits.tolerance) {
                    out.score = best = score;
                    set_prefix(table, chosen, size, out);
                }
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

LevelSplit each_value(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    int enough = 0;
    for (int i = 0; i < table.size(); ++i)
        enough += table.rows[i] >= limits.least.rows && table.weight[i] >= limits.least.weight;
    if (enough < 2) return out;
    out.tried = 1;
    const double score =
        criterion.score({table.parent.data(), table.stats.data(), table.size(), table.width, table.unknown});
    if (score - limits.floor > limits.tolerance) {
        out.score = score;
        out.n_branches = table.size();
        out.branch.resize(table.size());
        std::iota(out.branch.begin(), out.branch.end(), 0);
    }
    return out;
}

}  // namespace hornbeam
