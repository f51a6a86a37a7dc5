// How does C4.5 group the levels of a column?  Blocks of levels are merged while the gain ratio grows (4.2.7); the twin
// of parts/searches/c45_groups.py. What a merger changes is added up, so that a pair costs as much as there are
// classes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stop.hpp"
#include "core/weight_limits.hpp"
#include "searches/levels.hpp"
#include "searches/xlog.hpp"

namespace hornbeam {
namespace {

constexpr double SLACK = 1e-3, TIE = 1e-12, LEAST_RISE = 1e-5, LEAST_WEIGHT = 0.5, NEARLY_PURE = 0.1;

struct Block {
    std::vector<int> levels;
    std::vector<double> stats;
    double mass = 0.0, logs = 0.0;  // sum of the statistics, and of their x log x

    void measure() {
        mass = logs = 0.0;
        for (const double s : stats) mass += s, logs += xlog(s);
    }
    bool is_pure(std::size_t k) const { return stats[k] >= mass - NEARLY_PURE; }
};

struct Worth {
    double gain = -SLACK, ratio = -SLACK;
};

class Climb {
  public:
    Climb(const LevelTable& table, double unit) : unknown_(table.unknown) {
        for (int i = 0; i < table.size(); ++i) {
            if (!exceeds(static_cast<double>(table.weight[i]) * unit, LEAST_WEIGHT)) continue;
            Block& block = blocks.emplace_back();
            block.levels = {i};
            block.stats.assign(table.of(i), table.of(i) + table.width);
            block.measure();
        }
    }

    // Blocks of one and the same class become one.
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

    // Pairs are merged while it pays.
    void run(double least) {
        add_up();
        const Worth start = worth(sum_, bits_, heavy_);
        double ratio = start.ratio;
        while (blocks.size() > 2) {
            const auto enough =
                std::count_if(blocks.begin(), blocks.end(), [&](auto& b) { return reaches(b.mass, least); });
            const auto heaviest = std::max_element(blocks.begin(), blocks.end(),
                                                   [](const Block& a, const Block& b) { return a.mass < b.mass; });
            const Pair best =
                best_pair(enough < 3 ? static_cast<std::size_t>(heaviest - blocks.begin()) : NONE, start.gain / 2);
            if (best.first == NONE || (enough >= 2 && best.ratio < ratio + LEAST_RISE)) return;
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
        bool keeps = false;
        double ratio = 0.0;
    };

    // The last block takes the place of the second, as in C4.5.
    void merge(std::size_t first, std::size_t second) {
        Block& into = blocks[first];
        into.levels.insert(into.levels.end(), blocks[second].levels.begin(), blocks[second].levels.end());
        for (std::size_t k = 0; k < into.stats.size(); ++k) into.stats[k] += blocks[second].stats[k];
        into.measure();
        if (second + 1 < blocks.size()) blocks[second] = std::move(blocks.back());
        blocks.pop_back();
    }

    // What all blocks together hold: mass, entropy times mass, sum of mass log mass, blocks of a row or more.
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

    Worth worth(double sum, double mass_logs, int heavy) const {
        Worth out;
        if (heavy < 2) return out;
        const double all = known_ + unknown_;
        out.gain = known_ / all * ((whole_ - sum) / known_);
        const double bits = (xlog(all) - mass_logs - xlog(unknown_)) / all;
        if (out.gain >= -TIE && bits > SLACK) out.ratio = out.gain / bits;
        return out;
    }

    // The pair to merge. A later pair replaces the one held if its ratio is at least as good, or if it keeps enough of
    // the gain and the one held does not.
    Pair best_pair(std::size_t barred, double enough) const {
        Pair best;
        for (std::size_t a = 0; a < blocks.size(); ++a)
            for (std::size_t b = a + 1; b < blocks.size(); ++b) {
                if (a == barred || b == barred) continue;
                check_stop(static_cast<std::int64_t>(blocks[a].stats.size()));
                const Block &one = blocks[a], &other = blocks[b];
                double mass = 0, logs = 0;
                for (std::size_t k = 0; k < one.stats.size(); ++k) {
                    mass += one.stats[k] + other.stats[k];
                    logs += xlog(one.stats[k] + other.stats[k]);
                }
                const double apart = xlog(one.mass) + xlog(other.mass), joined = xlog(mass);
                const Worth found =
                    worth(sum_ - (apart - one.logs - other.logs) + (joined - logs), bits_ - apart + joined,
                          heavy_ - reaches(one.mass, 1.0) - reaches(other.mass, 1.0) + reaches(mass, 1.0));
                const bool keeps = found.gain >= enough - TIE;
                const bool is_better = best.first == NONE || keeps > best.keeps || found.ratio >= best.ratio - TIE;
                if (is_better) best = {a, b, keeps, found.ratio};
            }
        return best;
    }

    double unknown_, known_ = 0.0, sum_ = 0.0, bits_ = 0.0, whole_ = 0.0;
    int heavy_ = 0;
};

}  // namespace

LevelSplit c45_groups(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits,
                      const C45Groups& rule) {
    LevelSplit out;
    Climb climb(table, rule.weight_unit);
    if (climb.blocks.size() < 2) return out;
    climb.merge_pure();
    climb.run(std::max(rule.least_weight, 1.0));
    const auto n_blocks = static_cast<int>(climb.blocks.size());
    if (n_blocks < 2) return out;
    std::vector<std::int32_t> branch(table.size(), n_blocks);
    for (int b = 0; b < n_blocks; ++b)
        for (const int level : climb.blocks[b].levels) branch[level] = b;
    const bool has_rest = table.size() < rule.n_declared || std::count(branch.begin(), branch.end(), n_blocks) > 0;
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
        enough += rows[b] >= limits.least.rows && branches.weight[b] >= limits.least.weight;
    if (enough < 2) return out;
    const double score = score_branches(table, criterion, limits.tolerance, branches, out.missing);
    if (!(score - limits.floor > limits.tolerance)) return out;
    out.tried = 1;
    out.score = score;
    out.n_branches = n_branches;
    out.branch = std::move(branch);
    return out;
}

}  // namespace hornbeam
