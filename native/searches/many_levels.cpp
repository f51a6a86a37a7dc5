// Sets of levels of columns with very many, mostly rare levels. Levels of small weight are pooled, the others ordered
// by class fractions (means) shrunken towards those of the node; prefixes are tried, with a penalty for their number.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/stop.hpp"
#include "core/weight_limits.hpp"
#include "searches/level_order.hpp"
#include "searches/level_search.hpp"
#include "searches/level_sets.hpp"

namespace hornbeam {
namespace {

// The pool of each level: levels of small weight share one pool; the number of pools is appended.
std::vector<int> pool_indices(const LevelTable& table, double min_weight, double unit) {
    std::vector<int> pool_of(table.size());
    int next = 0, pool = -1;
    for (int i = 0; i < table.size(); ++i) {
        if (reaches(static_cast<double>(table.weight[i]) * unit, min_weight))
            pool_of[i] = next++;
        else
            pool_of[i] = pool >= 0 ? pool : (pool = next++);
    }
    pool_of.push_back(next);
    return pool_of;
}

// The best prefix of some orders of pooled levels. Prefixes are scored by adding pools; those that are as good as the
// best are then stored as sets, for the order that decides ties.
LevelSplit best_prefix(const LevelTable& table, const LevelTask& task, const std::vector<std::vector<int>>& members,
                       const std::vector<std::vector<int>>& orders) {
    const LevelLimits& limits = task.limits;
    const std::size_t count = members.size();
    constexpr double EXCLUDED = -std::numeric_limits<double>::infinity();
    std::vector<double> score(orders.size() * count, EXCLUDED);
    double best = EXCLUDED;
    int tried = 0;
    for (std::size_t k = 0; k < orders.size(); ++k) {
        TwoSides sides(table, task.criterion);
        for (std::size_t i = 0; i + 1 < count; ++i) {
            for (const int level : members[orders[k][i]]) sides.add(level);
            const GroupingScore found = sides.best_score(limits, tried);
            if (found.is_allowed) best = std::max(best, score[k * count + i] = found.score);
        }
    }
    LevelSets sets(table);
    for (std::size_t k = 0; k < orders.size(); ++k)
        for (std::size_t i = 0; i + 1 < count; ++i) {
            if (score[k * count + i] == EXCLUDED || score[k * count + i] < best - 4 * limits.tolerance) continue;
            check_stop(table.size());
            Side side(table.size(), 1);
            for (std::size_t j = 0; j <= i; ++j)
                for (const int level : members[orders[k][j]]) side[level] = 0;
            sets.keep(std::move(side));
        }
    return sets.best(task.criterion, limits);
}

class ManyLevelsSearch final : public LevelSearch {
  public:
    explicit ManyLevelsSearch(const ManyLevels& rule) : rule_(rule) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override {
        const int m = table.size();
        const double weight = static_cast<double>(table.total_weight) * task.weight_unit;
        const bool are_few = m <= rule_.many && reaches(weight, rule_.few * m);
        return are_few ? few_->best(table, task) : best_of_many(table, task);
    }

  private:
    LevelSplit best_of_many(const LevelTable& table, const LevelTask& task) const;

    ManyLevels rule_;
    LevelSearchPointer few_ = best_subset_search(12, false);
};

LevelSplit ManyLevelsSearch::best_of_many(const LevelTable& table, const LevelTask& task) const {
    std::vector<int> pool_of = pool_indices(table, rule_.min_level_weight, task.weight_unit);
    const int count = pool_of.back(), width = table.width, m = table.size();
    if (count < 2) return {};
    std::vector<double> pooled(static_cast<std::size_t>(count) * width, 0.0), all(width, 0.0);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < width; ++k) pooled[pool_of[i] * width + k] += table.of(i)[k];
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < width; ++k) all[k] += pooled[i * width + k];
    std::vector<double> sums(table.sums.empty() ? 0 : count, 0.0);
    for (std::size_t i = 0; i < table.sums.size(); ++i) sums[pool_of[i]] += table.sums[i];
    const bool is_one = table.is_number || !sums.empty();
    const double mass = table.weight_in(all.data());
    const double summed = std::accumulate(sums.begin(), sums.end(), 0.0);
    const int first = is_one || width <= 2 ? (is_one ? 1 : width - 1) : 0;
    const int last = sums.empty() ? width : 2;
    std::vector<std::vector<int>> members(count), orders;
    for (int i = 0; i < m; ++i) members[pool_of[i]].push_back(i);
    std::vector<double> key(count);
    for (int k = first; k < last; ++k) {
        for (int i = 0; i < count; ++i) {
            check_stop(width);
            const double* s = pooled.data() + static_cast<std::size_t>(i) * width;
            const double w = table.weight_in(s);
            const double own = sums.empty() ? s[k] : sums[i], whole = sums.empty() ? all[k] : summed;
            key[i] = (own + rule_.shrinkage * (whole / mass)) / (w + rule_.shrinkage);
        }
        orders.push_back(in_order(key, table.key_scale(key)));
    }
    LevelSplit out = best_prefix(table, task, members, orders);
    if (rule_.penalizes_sets)
        out.penalty = task.set_penalty * std::log2(static_cast<double>(orders.size() * (count - 1)));
    return out;
}

}  // namespace

LevelSearchPointer many_levels_search(const ManyLevels& rule) { return std::make_shared<ManyLevelsSearch>(rule); }

}  // namespace hornbeam
