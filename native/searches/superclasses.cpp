// Sets of levels that separate two superclasses. For each grouping of the present classes into two, the best prefix of
// the levels ordered by fraction; among groupings, the largest decrease of p (1 - p) or the criterion decides.
#include <algorithm>
#include <limits>

#include "core/stop.hpp"
#include "searches/level_search.hpp"
#include "searches/level_sets.hpp"

namespace hornbeam {
namespace {

constexpr std::size_t ALL_GROUPINGS = 10;
constexpr double SAME_DECREASE = 1e-10;

// The table of two superclasses: the other classes, then the classes inside.
LevelTable of_two(const LevelTable& table, const std::vector<char>& inside) {
    LevelTable two = table;
    two.width = 2;
    const auto folded = [&](const std::vector<double>& stats) {
        std::vector<double> out(stats.size() / table.width * 2, 0.0);
        for (std::size_t i = 0; i < stats.size(); ++i) out[i / table.width * 2 + inside[i % table.width]] += stats[i];
        return out;
    };
    two.stats = folded(table.stats);
    two.parent = folded(table.parent);
    two.missing = folded(table.missing);
    two.own = folded(table.own);
    return two;
}

std::vector<std::vector<char>> groupings(const LevelTable& table) {
    std::vector<int> present;
    for (int k = 0; k < table.width; ++k)
        if (table.whole(k) > 0) present.push_back(k);
    std::vector<std::vector<char>> out;
    if (present.size() > ALL_GROUPINGS) {
        for (const int k : present) {
            out.emplace_back(table.width, 0);
            out.back()[k] = 1;
        }
        return out;
    }
    // The first present class is never inside, so that no grouping occurs twice.
    for (std::uint32_t mask = 1; !present.empty() && mask < (1u << (present.size() - 1)); ++mask) {
        out.emplace_back(table.width, 0);
        for (std::size_t j = 1; j < present.size(); ++j) out.back()[present[j]] = mask >> (j - 1) & 1;
    }
    return out;
}

class Superclasses final : public LevelSearch {
  public:
    explicit Superclasses(bool criterion_chooses) : criterion_chooses_(criterion_chooses) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override;

  private:
    bool criterion_chooses_;
};

LevelSplit Superclasses::best(const LevelTable& table, const LevelTask& task) const {
    const auto variance = make_criterion("two_class_variance");
    std::vector<LevelSplit> found;
    for (const std::vector<char>& inside : groupings(table)) {
        check_stop(static_cast<std::int64_t>(table.stats.size()));
        const LevelTable two = of_two(table, inside);
        LevelLimits any = task.limits;
        const double whole[2] = {two.whole(0), two.whole(1)};
        any.tolerance = SAME_DECREASE * std::max(variance->impurity(whole, 2), LEAST_SCALE);
        any.floor = -std::numeric_limits<double>::infinity();
        LevelSplit split = ordered_categories(two, *variance, any);
        if (split.n_branches == 2) found.push_back(std::move(split));
    }
    const auto levels = [](const LevelSplit& split) {
        std::vector<int> inside;
        for (std::size_t i = 0; i < split.branch.size(); ++i)
            if (split.branch[i] == 0) inside.push_back(static_cast<int>(i));
        return inside;
    };
    LevelSets sets(table);
    if (criterion_chooses_) {
        for (LevelSplit& split : found) sets.keep(std::move(split.branch));
        return sets.best(task.criterion, task.limits);
    }
    std::stable_sort(found.begin(), found.end(), [&](const LevelSplit& a, const LevelSplit& b) {
        const auto x = levels(a), y = levels(b);
        return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
    const LevelSplit* best = nullptr;
    for (const LevelSplit& split : found)
        if (best == nullptr || split.score - best->score > SAME_DECREASE) best = &split;
    if (best == nullptr) return {};
    sets.keep(best->branch);
    return sets.best(task.criterion, task.limits);
}

}  // namespace

LevelSearchPointer superclasses_search(bool criterion_chooses) {
    return std::make_shared<Superclasses>(criterion_chooses);
}

}  // namespace hornbeam
