// The best set of levels: by their order where the best set is a prefix of it, by trying all sets of few levels, else
// by Chou's descent.
#include "searches/level_search.hpp"

namespace hornbeam {
namespace {

class BestSubset final : public LevelSearch {
  public:
    BestSubset(int try_all, bool every_set) : try_all_(try_all), every_set_(every_set) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override {
        const bool tries_all = table.size() <= try_all_;
        if (table.has_order() && !(every_set_ && tries_all))
            return ordered_categories(table, task.criterion, task.limits);
        return tries_all ? all_subsets(table, task.criterion, task.limits) : chou(table, task.criterion, task.limits);
    }

  private:
    int try_all_;
    bool every_set_;
};

}  // namespace

LevelSearchPointer best_subset_search(int try_all, bool every_set) {
    return std::make_shared<BestSubset>(try_all, every_set);
}

}  // namespace hornbeam
