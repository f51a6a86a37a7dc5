// One branch per level.
#include <numeric>

#include "searches/level_search.hpp"

namespace hornbeam {

LevelSplit multiway(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits) {
    LevelSplit out;
    int enough = 0;
    for (int i = 0; i < table.size(); ++i)
        enough += table.rows[i] >= limits.min_size.rows && table.weight[i] >= limits.min_size.weight;
    if (enough < 2) return out;
    out.tried = 1;
    const double score = score_branches(table, criterion, limits.tolerance, {table.stats, table.weight}, out.missing);
    if (score - limits.floor > limits.tolerance) {
        out.score = score;
        out.n_branches = table.size();
        out.branch.resize(table.size());
        std::iota(out.branch.begin(), out.branch.end(), 0);
    }
    return out;
}

namespace {

class Multiway final : public LevelSearch {
  public:
    explicit Multiway(const MultiwaySettings& settings) : settings_(settings) {}
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override {
        LevelSplit out = multiway(table, task.criterion, task.limits);
        if (settings_.declared) out.absent = LevelSplit::OWN_BRANCHES;
        return out;
    }
    bool is_multiway() const override { return true; }
    bool is_once_per_path(int) const override { return settings_.once_per_path; }
    ZeroGain zero_gain(int) const override {
        return settings_.allows_zero_gain ? ZeroGain::admissible : ZeroGain::if_counted;
    }

  private:
    MultiwaySettings settings_;
};

}  // namespace

LevelSearchPointer multiway_search(const MultiwaySettings& settings) { return std::make_shared<Multiway>(settings); }

}  // namespace hornbeam
