// The best of some random sets of levels. A random number decides 64 levels, one per bit.
#include <algorithm>

#include "core/random.hpp"
#include "core/stop.hpp"
#include "searches/level_search.hpp"
#include "searches/level_sets.hpp"

namespace hornbeam {
namespace {

class RandomSubsets final : public LevelSearch {
  public:
    explicit RandomSubsets(int tries) : tries_(tries) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override;

  private:
    int tries_;
};

LevelSplit RandomSubsets::best(const LevelTable& table, const LevelTask& task) const {
    Stream stream(task.key);
    const int m = table.size();
    LevelSets sets(table);
    Side side(m);
    for (int t = 0; t < tries_; ++t) {
        check_stop(m);
        std::uint64_t word = 0;
        for (int i = 0; i < m; ++i) {
            if (i % 64 == 0) word = stream.next();
            side[i] = (word >> (i % 64) & 1) != 0 ? 0 : 1;
        }
        const auto inside = std::count(side.begin(), side.end(), 0);
        if (inside > 0 && inside < m) sets.keep(side);
    }
    return sets.best(task.criterion, task.limits);
}

}  // namespace

LevelSearchPointer random_subsets_search(int tries) { return std::make_shared<RandomSubsets>(tries); }

}  // namespace hornbeam
