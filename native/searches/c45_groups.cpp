// Groups of levels as in C4.5: blocks of levels are merged while the gain ratio increases (4.2.7). The reference
// implementation is parts/searches/c45_groups.py. Here the sums are updated by each merger: a pair takes O(classes).
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stop.hpp"
#include "core/weight_limits.hpp"
#include "searches/level_search.hpp"
#include "searches/xlog.hpp"

namespace hornbeam {
namespace {

constexpr double SLACK = 1e-3, TIE = 1e-12, MIN_INCREASE = 1e-5, MIN_WEIGHT = 0.5, NEARLY_PURE = 0.1;

struct Block {
    std::vector<int> levels;
    std::vector<double> stats;
    double mass = 0.0, logs = 0.0;  // sum of the statistics, and of x log x of them

    void update_sums() {
        mass = logs = 0.0;
        for (const double s : stats) mass += s, logs += xlog(s);
    }
    bool is_pure(std::size_t k) const { return stats[k] >= mass - NEARLY_PURE; }
};

struct GainAndRatio {
    double gain = -SLACK, ratio = -SLACK;
};

class GroupMerger {
  public:
    GroupMerger(const LevelTable& table, double unit) : unknown_(table.unknown) {
        for (int i = 0; i < table.size(); ++i) {
            if (!exceeds(static_cast<double>(table.weight[i]) * unit, MIN_WEIGHT)) continue;
            Block& block = blocks.emplace_back();
            block.levels = {i};
            block.stats.assign(table.of(i), table.of(i) + table.width);
            block.update_sums();
        }
    }

    // Merges blocks that consist of the same class.
    void merge_pure() {
        for (std::size_t first = 0; first + 1 < blocks.size();) {
            const Block& own = blocks[first];
            const auto k = static_cast<std::size_t>(
                std::find_if(own.stats.begin(), own.stats.end(), [](double s) { return s > 0; }) - own.stats.begin());
            std::size_t same = blocks.size();
            if (k < own.stats.size() && own.is_pure(k))
                for (same = first + 1; same < blocks.size() && !blocks[same].is_pure(k);) ++same;
            if (same < blocks.size())
                merge(first, same);
            else
                ++first;
        }
    }

    // Merges pairs while the gain ratio increases.
    void run(double min_weight) {
        add_up();
        const GainAndRatio start = gain_and_ratio(sum_, bits_, heavy_);
        double ratio = start.ratio;
        while (blocks.size() > 2) {
            const auto enough =
                std::count_if(blocks.begin(), blocks.end(), [&](auto& b) { return reaches(b.mass, min_weight); });
            const auto largest = std::max_element(blocks.begin(), blocks.end(),
                                                  [](const Block& a, const Block& b) { return a.mass < b.mass; });
            const Pair best =
                best_pair(enough < 3 ? static_cast<std::size_t>(largest - blocks.begin()) : NONE, start.gain / 2);
            if (best.first == NONE || (enough >= 2 && best.ratio < ratio + MIN_INCREASE)) return;
            ratio = best.ratio;
            merge(best.first, best.second);
            add_up();
        }
    }

    std::vector<Block> blocks;

  private:
    static constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();
    struct Pair {
        std::size_t first = NONE, second = NONE;
        bool keeps_gain = false;
        double ratio = 0.0;
    };

    // Merges two blocks; the last block moves to the index of the second, as in C4.5.
    void merge(std::size_t first, std::size_t second) {
        Block& into = blocks[first];
        into.levels.insert(into.levels.end(), blocks[second].levels.begin(), blocks[second].levels.end());
        for (std::size_t k = 0; k < into.stats.size(); ++k) into.stats[k] += blocks[second].stats[k];
        into.update_sums();
        if (second + 1 < blocks.size()) blocks[second] = std::move(blocks.back());
        blocks.pop_back();
    }

    // Sums over all blocks: mass, entropy times mass, mass log mass, number of blocks with mass >= 1.
    void add_up() {
        std::vector<double> parent(blocks.empty() ? 0 : blocks[0].stats.size(), 0.0);
        known_ = sum_ = bits_ = whole_ = 0.0;
        heavy_ = 0;
        for (const Block& block : blocks) {
            for (std::size_t k = 0; k < parent.size(); ++k) parent[k] += block.stats[k];
            known_ += block.mass;
            sum_ += xlog(block.mass) - block.logs;
            bits_ += xlog(block.mass);
            heavy_ += reaches(block.mass, 1.0);
        }
        for (const double s : parent) whole_ -= xlog(s);
        whole_ += xlog(known_);
    }

    GainAndRatio gain_and_ratio(double sum, double mass_logs, int heavy) const {
        GainAndRatio out;
        if (heavy < 2) return out;
        const double all = known_ + unknown_;
        out.gain = known_ / all * ((whole_ - sum) / known_);
        const double bits = (xlog(all) - mass_logs - xlog(unknown_)) / all;
        if (out.gain >= -TIE && bits > SLACK) out.ratio = out.gain / bits;
        return out;
    }

    // The pair to merge. A later pair replaces an earlier one if its ratio is at least as good, or if it retains enough
    // of the gain and the earlier one does not.
    Pair best_pair(std::size_t excluded, double enough) const {
        Pair best;
        for (std::size_t a = 0; a < blocks.size(); ++a)
            for (std::size_t b = a + 1; b < blocks.size(); ++b) {
                if (a == excluded || b == excluded) continue;
                check_stop(static_cast<std::int64_t>(blocks[a].stats.size()));
                const Block &one = blocks[a], &other = blocks[b];
                double mass = 0, logs = 0;
                for (std::size_t k = 0; k < one.stats.size(); ++k) {
                    mass += one.stats[k] + other.stats[k];
                    logs += xlog(one.stats[k] + other.stats[k]);
                }
                const double apart = xlog(one.mass) + xlog(other.mass), joined = xlog(mass);
                const GainAndRatio found =
                    gain_and_ratio(sum_ - (apart - one.logs - other.logs) + (joined - logs), bits_ - apart + joined,
                                   heavy_ - reaches(one.mass, 1.0) - reaches(other.mass, 1.0) + reaches(mass, 1.0));
                const bool keeps_gain = found.gain >= enough - TIE;
                const bool is_better =
                    best.first == NONE || keeps_gain > best.keeps_gain || found.ratio >= best.ratio - TIE;
                if (is_better) best = {a, b, keeps_gain, found.ratio};
            }
        return best;
    }

    double unknown_, known_ = 0.0, sum_ = 0.0, bits_ = 0.0, whole_ = 0.0;
    int heavy_ = 0;
};

LevelSplit merged_groups(const LevelTable& table, const LevelTask& task) {
    LevelSplit out;
    GroupMerger merger(table, task.weight_unit);
    if (merger.blocks.size() < 2) return out;
    merger.merge_pure();
    merger.run(std::max(task.min_leaf_weight, 1.0));
    const auto n_blocks = static_cast<int>(merger.blocks.size());
    if (n_blocks < 2) return out;
    std::vector<std::int32_t> branch(table.size(), n_blocks);
    for (int b = 0; b < n_blocks; ++b)
        for (const int level : merger.blocks[b].levels) branch[level] = b;
    const bool has_rest = table.size() < task.n_declared || std::count(branch.begin(), branch.end(), n_blocks) > 0;
    const int n_branches = n_blocks + has_rest;
    Branches branches{std::vector<double>(static_cast<std::size_t>(n_branches) * table.width, 0.0),
                      std::vector<std::int64_t>(n_branches, 0)};
    std::vector<std::int64_t> rows(n_branches, 0);
    for (int i = 0; i < table.size(); ++i) {
        rows[branch[i]] += table.rows[i];
        branches.weight[branch[i]] += table.weight[i];
        for (int k = 0; k < table.width; ++k) branches.stats[branch[i] * table.width + k] += table.of(i)[k];
    }
    int enough = 0;
    for (int b = 0; b < n_branches; ++b)
        enough += rows[b] >= task.limits.min_size.rows && branches.weight[b] >= task.limits.min_size.weight;
    if (enough < 2) return out;
    const double score = score_branches(table, task.criterion, task.limits.tolerance, branches, out.missing);
    if (!(score - task.limits.floor > task.limits.tolerance)) return out;
    out.tried = 1;
    out.score = score;
    out.n_branches = n_branches;
    out.branch = std::move(branch);
    out.absent = n_branches - 1;
    return out;
}

// Columns of two levels have a branch per level, as in C4.5.
class C45Groups final : public LevelSearch {
  public:
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override {
        if (is_grouped(task.n_declared)) return merged_groups(table, task);
        LevelSplit out = multiway(table, task.criterion, task.limits);
        out.absent = LevelSplit::OWN_BRANCHES;
        return out;
    }
    bool is_multiway() const override { return true; }
    bool is_once_per_path(int n_declared) const override { return !is_grouped(n_declared); }
    ZeroGain zero_gain(int n_declared) const override {
        return is_grouped(n_declared) ? ZeroGain::never : ZeroGain::admissible;
    }

  private:
    static bool is_grouped(int n_declared) { return n_declared > 2; }
};

}  // namespace

LevelSearchPointer c45_groups_search() { return std::make_shared<C45Groups>(); }

}  // namespace hornbeam
