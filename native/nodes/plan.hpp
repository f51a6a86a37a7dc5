// The plan of a growth: the data, the questions, how they are scored, when a node is a leaf. Filled by native/parts and
// native/bind.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/data.hpp"
#include "nodes/missing_stats.hpp"
#include "nodes/stop_rules.hpp"
#include "oblique/many.hpp"

namespace hornbeam {

enum class NominalSearch : int {
    one_value,
    ordered_categories,
    all_subsets,
    each_value,
    best_subset,
    chou,
    none,
    superclasses,
    random_subsets,
    many_levels,
    c45_groups,
};
enum class Lookahead : int { never, stuck, always };
enum class Order : int { depth_first, level_wise, best_first };

struct Plan {
    std::int64_t n_rows = 0;
    std::vector<SourceColumn> columns;
    Target target;

    std::string criterion = "gini";
    double quantile = -1.0;  // the criterion is the distance from this quantile, times the scale; below 0: it is not
    double quantile_scale = 1.0;
    double leaf_quantile = -1.0;  // what a leaf says; below 0: the mean, or a class
    bool c45 = false;             // penalty for cuts, average-gain rule, ratio between columns, least size by 4.2.3
    bool c45_by_gain = false;     // gain between columns, without the average
    bool admits_zero = false;     // a question about categories may have gain 0
    bool zero_gain = false;       // any question may have gain 0
    bool cuts = true;             // whether numbers and ordinal levels are asked about at all
    int bins = 0;                 // above 0: numbers are put into so many bins and cut between them
    bool cut_at_data = false;     // thresholds are values that occur in the table
    bool boundaries = false;      // only cuts between different classes are tried
    std::int64_t pairs = 0;       // above 0: so many pairs of a column and a cut are drawn at a node
    bool random_cuts = false;     // one question a column, drawn
    int intervals = 0;            // above 0: numbers and ordinal levels are cut into up to so many intervals at once,
    bool intervals_by_mdlp = false;   // or into as many as a test accepts,
    bool intervals_and_cuts = false;  // and in two as well
    NominalSearch nominal = NominalSearch::ordered_categories;
    int size_limit = 0;
    int try_all = 12;            // best_subset: up to so many levels all sets are tried
    bool every_set = false;      // best_subset: for two classes and numbers too
    bool once_per_path = false;  // a category asked about by every value is not asked about again below
    bool asks_each() const {     // questions about categories have a branch a level, or group of levels
        return nominal == NominalSearch::each_value || nominal == NominalSearch::c45_groups;
    }
    bool declared_levels = false;    // every declared level has a branch, empty ones too; one_value: is in the rest
    bool criterion_chooses = false;  // superclasses: among the best sets of all groupings
    bool by_ratio = false;           // one_value: the level of largest score over split information
    int tries = 100;                 // random_subsets: how many are drawn
    int most_levels = 50;            // many_levels: what counts as many, and what is done then
    double few = 10.0, min_level_weight = 5.0, shrinkage = 10.0;
    bool penalizes_sets = true;
    Lookahead lookahead = Lookahead::never;  // when questions are scored two levels deep
    std::int64_t lookahead_quantiles = 32;
    std::vector<double> column_cost;
    std::vector<ManyPlan> many;  // searches of many columns at once, in order
    std::vector<double> price;   // of every kind of question, by its number in model files; empty: none
    StopRules stops;
    Order order = Order::depth_first;
    HoleRule missing_counted = HoleRule::apart;
    FillBy fill = FillBy::nothing;
    bool shares = false;               // a row of unknown answer goes down every branch in part
    std::int64_t surrogates = -1;      // how many a node keeps; -1: rows of unknown answer ask none
    bool surrogates_of_known = false;  // agreement is a share of the rows where both are known
    std::int64_t competitors = 0;      // how many of the questions that came next a node keeps
    bool missing_stays = false;  // a row whose answer is unknown ends at the node (else: it follows the larger branch)

    std::int64_t max_features = -1;  // drawn at each node; -1: all
    std::uint64_t seed = 0, tree = 0;
    int threads = 0;

    bool asks_quantile() const { return quantile >= 0 || leaf_quantile >= 0; }
};

// Whole numbers in the narrowest type that holds them all.
using WholeNumbers = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

// What comes back: the arrays of tree/nodes.py and of a question table, one question an inner node.
struct Grown {
    int width = 0;                    // numbers of `stats` a node
    WholeNumbers counts, row_counts;  // instead of `stats` and `rows` where these are small whole numbers
    std::vector<std::int32_t> parent, first_child, n_branches, question, missing_branch, depth;
    std::vector<std::int8_t> reason;
    std::vector<std::int64_t> rows;
    std::vector<double> weight, stats, impurity, gain, score;
    std::vector<double> answer;  // where the core knows it: the heaviest class of every node, or a quantile
    std::vector<std::int8_t> question_kind, encoding;
    std::vector<std::int32_t> column, whole;
    std::vector<std::int64_t> whole_start, reals_start;
    std::vector<double> reals;
    std::vector<std::int64_t> surrogate_start, competitor_start;
    std::vector<std::int32_t> surrogate_question, competitor_question;
    std::vector<std::int8_t> surrogate_flipped;
    std::vector<double> surrogate_agree, surrogate_adjusted, competitor_gain, competitor_score;
};

}  // namespace hornbeam
