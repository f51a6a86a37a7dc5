// Sets of levels that are prefixes of the levels ordered by mean, or by the fraction of one of two classes.
#include <algorithm>
#include <limits>

#include "searches/level_order.hpp"
#include "searches/level_search.hpp"

namespace hornbeam {

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
        set_sides(table, {order.begin(), order.begin() + chosen}, out);
        const std::int32_t before = out.branch[0];
        make_canonical(out.branch);
        out.missing = missing[chosen] < 0 || out.branch[0] == before ? missing[chosen] : 1 - missing[chosen];
    }
    return out;
}

LevelSearchPointer ordered_categories_search() { return std::make_shared<FunctionSearch<ordered_categories>>(); }

}  // namespace hornbeam
