// The best of some random sets of levels. A random number decides 64 levels, one per bit.
#include <algorithm>

#include "core/random.hpp"
#include "core/stop.hpp"
#include "searches/level_sets.hpp"

namespace hornbeam {

LevelSplit random_subsets(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits, int tries,
                          std::uint64_t key) {
    Stream stream(key);
    const int m = table.size();
    LevelSets sets(table);
    Side side(m);
    for (int t = 0; t < tries; ++t) {
        check_stop(m);
        std::uint64_t word = 0;
        for (int i = 0; i < m; ++i) {
            if (i % 64 == 0) word = stream.next();
            side[i] = (word >> (i % 64) & 1) != 0 ? 0 : 1;
        }
        const auto inside = std::count(side.begin(), side.end(), 0);
        if (inside > 0 && inside < m) sets.keep(side);
    }
    return sets.best(criterion, limits);
}

}  // namespace hornbeam
