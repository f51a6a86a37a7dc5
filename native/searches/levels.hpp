// Which grouping of a column's categories is best?  All searches start from one table: the statistics of every level
// that is present at the node. The work depends on the number of levels, not of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "criteria/criterion.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

struct LevelTable {
    int width = 0;
    bool is_number = false;
    double unknown = 0.0;                // weight of rows with a missing value
    std::vector<std::uint32_t> present;  // codes, ascending
    std::vector<std::int64_t> rows;      // of each present code
    std::vector<std::int64_t> weight;    // in units
    std::vector<double> stats;           // width numbers a present code
    std::vector<double> parent;          // their sum
    double mean = 0.0;                   // numbers: the value that is subtracted from the target in all sums,
    double deviation = 0.0;              // and the standard deviation of the target at the node
    std::int64_t total_rows = 0, total_weight = 0;
    std::vector<double> targets;  // statistics that are distributions: their numbers, and
    std::vector<double> sums;     // the sum of each level, minus its weight times `mean`
    std::vector<double> holes;    // statistics of missing values that may go either way; empty: there are none
    std::int64_t holes_rows = 0, holes_weight = 0;
    std::vector<double> own;  // statistics of missing values that are a branch of their own; empty: there are none

    int size() const { return static_cast<int>(present.size()); }
    // Whether levels are in order by their mean, or by the share of one of two classes.
    bool has_order() const { return width <= 2 || !sums.empty(); }
    // What that order is by.
    double rate(int i) const {
        if (is_number) return of(i)[1] / of(i)[0];
        return (sums.empty() ? of(i)[width - 1] : sums[i]) / weight_in(of(i));
    }
    // The scale of such keys: the deviation of numbers, or the largest probability.
    double key_scale(const std::vector<double>& keys) const {
        return is_number || !sums.empty() ? deviation : *std::max_element(keys.begin(), keys.end());
    }
    // The weight of the known rows as the criterion counts it.
    double mass() const { return weight_in(parent.data()); }
    // The weight in some statistics.
    double weight_in(const double* some) const { return is_number ? some[0] : total(some, width); }
    // A statistic of all rows that count.
    double whole(int k) const { return parent[k] + (holes.empty() ? 0.0 : holes[k]) + (own.empty() ? 0.0 : own[k]); }
    const double* of(int i) const { return stats.data() + static_cast<std::size_t>(i) * width; }
    // A split of rows with these statistics into branches.
    SplitStats split(const std::vector<double>& rows_parent, const std::vector<double>& branches,
                     double unknown_weight) const {
        const int n_branches = static_cast<int>(branches.size()) / width;
        return {rows_parent.data(), branches.data(), n_branches, width, unknown_weight, targets.data(), mean};
    }
};

struct LevelSplit {
    double score = 0.0;
    int tried = 0;
    int n_branches = 0;                // 0: none found
    int missing = -1;                  // the branch of missing values that may go either way
    double toll = 0.0;                 // taken off the score in the end, for having tried so many
    std::vector<std::int32_t> branch;  // of each present code
};

struct LevelLimits {
    Least least;
    double tolerance = 0.0;
    double floor = 0.0;     // a score must beat this; below 0 admits a score of 0
    int size_limit = 0;     // all_subsets: largest side to try; 0: half
    bool by_ratio = false;  // questions are compared by score over split information
};

LevelSplit one_value(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
LevelSplit ordered_categories(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
LevelSplit all_subsets(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
LevelSplit chou(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
LevelSplit each_value(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
// `criterion_chooses`: among the best sets of all groupings of classes; else the one of largest twoing is taken.
LevelSplit superclasses(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits,
                        bool criterion_chooses);
LevelSplit random_subsets(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits, int tries,
                          std::uint64_t key);

// How levels are pooled and shrunken; `toll` is the price of a doubling of the sets tried.
struct ManyLevels {
    double min_level_weight = 0.0, shrinkage = 0.0, weight_unit = 1.0, toll = 0.0;
};
LevelSplit many_levels(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits,
                       const ManyLevels& rule);

// C4.5's groups: how many levels are declared, the unit of weights, and the weight that a branch needs.
struct C45Groups {
    int n_declared = 0;
    double weight_unit = 1.0, least_weight = 0.0;
};
LevelSplit c45_groups(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits,
                      const C45Groups& rule);

// The branches of known rows with the rows of missing values: in a branch of their own, or in this one.
struct CountedBranches {
    CountedBranches(const LevelTable& table, std::vector<double> known, int missing);
    SplitStats split(const LevelTable& table) const { return table.split(parent, stats, unknown); }
    std::vector<double> parent, stats;
    double unknown;
};

// Branches with their statistics and weights, one after the other.
struct Branches {
    std::vector<double> stats;
    std::vector<std::int64_t> weight;
};
// The score of branches of known rows; missing values that may go to any are tried in every one that has rows, the
// heaviest first.
double score_branches(const LevelTable& table, const Criterion& criterion, double tolerance, const Branches& branches,
                      int& missing);

// A grouping as it was judged: its score, what it is compared by, and the side of missing values.
struct Judged {
    bool is_allowed = false;
    double score = 0.0, value = 0.0;
    int missing = -1;
};

// Both sides of a grouping into two: adds levels to the left side and scores it.
class TwoSides {
  public:
    TwoSides(const LevelTable& table, const Criterion& criterion)
        : table_(table), criterion_(criterion), sides_(2 * table.width, 0.0) {
        clear();
    }
    void clear();
    void add(int level);
    bool allows(const Least& least) const {
        return rows_ >= least.rows && table_.total_rows - rows_ >= least.rows && weight_ >= least.weight &&
               table_.total_weight - weight_ >= least.weight;
    }
    double score() const { return criterion_.score(table_.split(table_.parent, sides_, table_.unknown)); }
    // The score within the limits. Missing values that may go either way are tried on both sides, first on that of
    // larger known weight (on ties on the left, or on the right if that is to be named first).
    Judged judged(const LevelLimits& limits, int& tried, bool right_is_first = false) const;

  private:
    Judged judge(const LevelLimits& limits, int missing) const;

    const LevelTable& table_;
    const Criterion& criterion_;
    std::vector<double> sides_;
    std::int64_t rows_ = 0, weight_ = 0;
};

// The canonical side: the smaller one is branch 0; with sides of equal size the one that holds the lowest code.
void make_canonical(std::vector<std::int32_t>& branch);

}  // namespace hornbeam
