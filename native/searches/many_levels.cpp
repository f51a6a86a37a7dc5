// Which set of levels is best when there are very many and most are rare?  Light levels are pooled, the others ordered
// by shares (means) that are drawn towards the node's own; only prefixes are tried, and their number is paid for.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "searches/level_sets.hpp"

namespace hornbeam {
namespace {

// The place of every level once light ones share the place of the first of them; the number of places last.
std::vector<int> pooled_places(const LevelTable& table, double least, double unit) {
    std::vector<int> place(table.size());
    int next = 0, pool = -1;
    for (int i = 0; i < table.size(); ++i) {
        if (static_cast<double>(table.weight[i]) * unit >= least)
            place[i] = next++;
        else
            place[i] = pool >= 0 ? pool : (pool = next++);
    }
    place.push_back(next);
    return place;
}

}  // namespace

LevelSplit many_levels(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits,
                       const ManyLevels& rule) {
    std::vector<int> place = pooled_places(table, rule.min_level_weight, rule.weight_unit);
    const int count = place.back(), width = table.width, m = table.size();
    if (count < 2) return {};
    std::vector<double> pooled(static_cast<std::size_t>(count) * width, 0.0), all(width, 0.0);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < width; ++k) pooled[place[i] * width + k] += table.of(i)[k];
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < width; ++k) all[k] += pooled[i * width + k];
    const double mass = table.is_number ? all[0] : total(all.data(), width);
    const int first = table.is_number || width <= 2 ? (table.is_number ? 1 : width - 1) : 0;
    const int last = table.is_number ? 2 : width;
    LevelSets sets(table);
    int n_sets = 0;
    std::vector<double> key(count);
    std::vector<int> order(count);
    for (int k = first; k < last; ++k) {
        for (int i = 0; i < count; ++i) {
            const double* s = pooled.data() + static_cast<std::size_t>(i) * width;
            const double w = table.is_number ? s[0] : total(s, width);
            key[i] = (s[k] + rule.shrinkage * (all[k] / mass)) / (w + rule.shrinkage);
        }
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
        std::vector<char> inside(count, 0);
        for (int length = 1; length < count; ++length) {
            inside[order[length - 1]] = 1;
            Side side(m);
            for (int i = 0; i < m; ++i) side[i] = inside[place[i]] ? 0 : 1;
            sets.keep(std::move(side));
            ++n_sets;
        }
    }
    LevelSplit out = sets.best(criterion, limits);
    out.toll = rule.toll * std::log2(static_cast<double>(n_sets));
    return out;
}

}  // namespace hornbeam
