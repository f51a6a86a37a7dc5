// LevelSets: the best of some sets of levels. Sets are stored once, as the smaller side, and scored in the order that
// decides ties: by size, then by levels.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "searches/levels.hpp"

namespace hornbeam {

using Side = std::vector<std::int32_t>;  // per present level: 0 inside, 1 outside

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
