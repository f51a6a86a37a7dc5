// One level against the rest.
#include <limits>

#include "searches/level_search.hpp"

namespace hornbeam {
namespace {

class LevelVsRest final : public LevelSearch {
  public:
    LevelVsRest(bool by_ratio, bool declared) : by_ratio_(by_ratio), declared_(declared) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override;

  private:
    bool by_ratio_, declared_;
};

LevelSplit LevelVsRest::best(const LevelTable& table, const LevelTask& task) const {
    LevelLimits limits = task.limits;
    limits.by_ratio = by_ratio_;
    LevelSplit out;
    TwoSides sides(table, task.criterion);
    double best = by_ratio_ ? -std::numeric_limits<double>::infinity() : limits.floor;
    const int most = table.size() == 2 ? 1 : table.size();
    for (int i = 0; i < most; ++i) {
        sides.clear();
        sides.add(i);
        const GroupingScore found = sides.best_score(limits, out.tried);
        if (found.is_allowed && found.value - best > limits.tolerance) {
            best = found.value;
            out.score = found.score;
            out.missing = found.missing;
            set_sides(table, {i}, out);
        }
    }
    if (declared_) out.absent = 1;
    if (by_ratio_ && !(out.score - limits.floor > limits.tolerance)) out.n_branches = 0;
    return out;
}

}  // namespace

LevelSearchPointer level_vs_rest_search(bool by_ratio, bool declared) {
    return std::make_shared<LevelVsRest>(by_ratio, declared);
}

}  // namespace hornbeam
