// All sets of levels, by size and then by levels; of a set and its complement the smaller one is tried.
#include <algorithm>
#include <numeric>

#include "searches/level_search.hpp"

namespace hornbeam {

LevelSplit all_subsets(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits, int size_limit) {
    LevelSplit out;
    const int m = table.size();
    const int half = m / 2;
    const int largest = size_limit > 0 ? std::min(size_limit, half) : half;
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
                set_sides(table, chosen, out);
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

namespace {

class AllSubsets final : public LevelSearch {
  public:
    explicit AllSubsets(int size_limit) : size_limit_(size_limit) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override {
        return all_subsets(table, task.criterion, task.limits, size_limit_);
    }

  private:
    int size_limit_;
};

}  // namespace

LevelSearchPointer all_subsets_search(int size_limit) { return std::make_shared<AllSubsets>(size_limit); }

}  // namespace hornbeam
