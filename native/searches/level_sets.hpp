// Which of some sets of levels is best?  Sets are turned to their smaller side, kept once, and judged in the order in
// which ties are decided: by size, then by levels.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "searches/levels.hpp"

namespace hornbeam {

using Side = std::vector<std::int32_t>;  // 0 inside, 1 outside, of every present level

class LevelSets {
  public:
    explicit LevelSets(const LevelTable& table) : table_(table) {}

    void keep(Side side);
    LevelSplit best(const Criterion& criterion, const LevelLimits& limits) const;

  private:
    struct BySizeThenLevels {
        bool operator()(const std::vector<int>& a, const std::vector<int>& b) const {
            return a.size() != b.size() ? a.size() < b.size() : a < b;
        }
    };
    const LevelTable& table_;
    std::map<std::vector<int>, Side, BySizeThenLevels> sets_;  // by the levels inside
};

}  // namespace hornbeam
