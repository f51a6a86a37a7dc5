// The best grouping of the levels of a column. All searches start from a table with the statistics of each level that
// is present at the node, so their time depends on the number of levels, not of rows.
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
    std::vector<std::int64_t> rows;      // per present code
    std::vector<std::int64_t> weight;    // in units
    std::vector<double> stats;           // `width` per present code
    std::vector<double> parent;          // their sum
    double mean = 0.0;                   // regression: the value that is subtracted from the target in all sums,
    double deviation = 0.0;              // and the standard deviation of the target at the node
    std::int64_t total_rows = 0, total_weight = 0;
    std::vector<double> targets;  // distributions: the target value of each entry, and
    std::vector<double> sums;     // the sum of each level minus its weight times `mean`
    std::vector<double> missing;  // statistics of missing values that may take either branch; or empty
    std::int64_t missing_rows = 0, missing_weight = 0;
    std::vector<double> own;  // statistics of missing values that have their own branch; or empty

    int size() const { return static_cast<int>(present.size()); }
    // Whether levels are ordered by their mean, or by the fraction of one of two classes.
    bool has_order() const { return width <= 2 || !sums.empty(); }
    // The key of that order.
    double rate(int i) const {
        if (is_number) return of(i)[1] / of(i)[0];
        return (sums.empty() ? of(i)[width - 1] : sums[i]) / weight_in(of(i));
    }
    // The scale of such keys: the standard deviation of the target, or the largest fraction.
    double key_scale(const std::vector<double>& keys) const {
        return is_number || !sums.empty() ? deviation : *std::max_element(keys.begin(), keys.end());
    }
    // The weight of the known rows as the criterion counts it.
    double mass() const { return weight_in(parent.data()); }
    // The weight of some statistics.
    double weight_in(const double* some) const { return is_number ? some[0] : total(some, width); }
    // A statistic of all rows that count, including missing values.
    double whole(int k) const {
        return parent[k] + (missing.empty() ? 0.0 : missing[k]) + (own.empty() ? 0.0 : own[k]);
    }
    const double* of(int i) const { return stats.data() + static_cast<std::size_t>(i) * width; }
    // A split of rows with these statistics into branches.
    SplitStats split(const std::vector<double>& rows_parent, const std::vector<double>& branches,
                     double unknown_weight) const {
        const int n_branches = static_cast<int>(branches.size()) / width;
        return {rows_parent.data(), branches.data(), n_branches, width, unknown_weight, targets.data(), mean};
    }
};

struct LevelSplit {
    static constexpr std::int32_t NO_BRANCH = -1, OWN_BRANCHES = -2;
    double score = 0.0;
    int tried = 0;
    int n_branches = 0;                // 0: none found
    int missing = -1;                  // the branch of missing values that may take either
    double penalty = 0.0;              // subtracted from the final score, for the number of sets tried
    std::vector<std::int32_t> branch;  // per present code
    std::int32_t absent = NO_BRANCH;   // the branch of declared levels that no row of the node has
};

struct LevelLimits {
    MinSize min_size;
    double tolerance = 0.0;
    double floor = 0.0;     // a score must exceed this; below 0: a score of 0 is admissible
    bool by_ratio = false;  // questions are compared by score divided by split information
};

// The searches that other searches use. `size_limit`: maximum number of levels of the smaller side; 0: half.
LevelSplit all_subsets(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits,
                       int size_limit = 0);
LevelSplit chou(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
LevelSplit multiway(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);
LevelSplit ordered_categories(const LevelTable& table, const Criterion& criterion, const LevelLimits& limits);

// Branches of known rows plus the rows of missing values, in their own branch or in branch `missing`.
struct CountedBranches {
    CountedBranches(const LevelTable& table, std::vector<double> known, int missing);
    SplitStats split(const LevelTable& table) const { return table.split(parent, stats, unknown); }
    std::vector<double> parent, stats;
    double unknown;
};

// The statistics and weights of branches, in order.
struct Branches {
    std::vector<double> stats;
    std::vector<std::int64_t> weight;
};
// The score of branches of known rows; missing values that may take any branch are tried in each one that has rows, in
// descending order of weight.
double score_branches(const LevelTable& table, const Criterion& criterion, double tolerance, const Branches& branches,
                      int& missing);

// The score of a grouping, the value by which it is compared, and the side of missing values.
struct GroupingScore {
    bool is_allowed = false;
    double score = 0.0, value = 0.0;
    int missing = -1;
};

// The two sides of a grouping: adds levels to the left side and scores it.
class TwoSides {
  public:
    TwoSides(const LevelTable& table, const Criterion& criterion)
        : table_(table), criterion_(criterion), sides_(2 * table.width, 0.0) {
        clear();
    }
    void clear();
    void add(int level);
    bool allows(const MinSize& min_size) const {
        return rows_ >= min_size.rows && table_.total_rows - rows_ >= min_size.rows && weight_ >= min_size.weight &&
               table_.total_weight - weight_ >= min_size.weight;
    }
    double score() const { return criterion_.score(table_.split(table_.parent, sides_, table_.unknown)); }
    // The score within the limits. Missing values that may take either branch are tried on both sides, first on that of
    // larger known weight (on ties the left one, or the right one if `right_is_first`).
    GroupingScore best_score(const LevelLimits& limits, int& tried, bool right_is_first = false) const;

  private:
    GroupingScore scored(const LevelLimits& limits, int missing) const;

    const LevelTable& table_;
    const Criterion& criterion_;
    std::vector<double> sides_;
    std::int64_t rows_ = 0, weight_ = 0;
};

// The branches of a set of levels and the others.
void set_sides(const LevelTable& table, const std::vector<int>& inside, LevelSplit& out);
// Makes the smaller side branch 0; of sides of equal size the one with the lowest code.
void make_canonical(std::vector<std::int32_t>& branch);

}  // namespace hornbeam
