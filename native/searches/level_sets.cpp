#include "searches/level_sets.hpp"

#include <utility>

namespace hornbeam {

void LevelSets::keep(Side side) {
    make_canonical(side);
    std::vector<int> inside;
    for (int i = 0; i < table_.size(); ++i)
        if (side[i] == 0) inside.push_back(i);
    sets_.emplace(std::move(inside), std::move(side));
}

LevelSplit LevelSets::best(const Criterion& criterion, const LevelLimits& limits) const {
    LevelSplit out;
    TwoSides sides(table_, criterion);
    double best = limits.floor;
    for (const auto& [inside, side] : sets_) {
        sides.clear();
        for (const int level : inside) sides.add(level);
        const GroupingScore found = sides.best_score(limits, out.tried);
        if (found.is_allowed && found.score - best > limits.tolerance) {
            out.score = best = found.score;
            out.missing = found.missing;
            out.n_branches = 2;
            out.branch = side;
        }
    }
    return out;
}

}  // namespace hornbeam
