// The plan of a growth: the data, the questions, how they are scored, when a node is a leaf. Filled by native/parts and
// native/bind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/data.hpp"
#include "core/question_kinds.hpp"
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

// How questions are scored, and what a leaf says.
struct CriterionPlan {
    std::string name = "gini";
    double quantile = -1.0;  // the criterion is the distance from this quantile, times the scale; below 0: it is not
    double scale = 1.0;
    std::vector<double> costs;    // of every true class, those of the predictions; empty: costs do not count
    double leaf_quantile = -1.0;  // what a leaf says; below 0: the mean, or a class
    bool c45 = false;             // penalty for cuts, average-gain rule, ratio between columns
    bool c45_by_gain = false;     // gain between columns, without the average
    bool zero_gain = false;       // any question may have gain 0

    bool asks_quantile() const { return quantile >= 0 || leaf_quantile >= 0; }
};

// Questions about numbers and ordinal levels.
struct CutPlan {
    bool is_used = true;               // whether there are any
    int bins = 0;                      // above 0: numbers are put into so many bins and cut between them
    bool at_data = false;              // thresholds are values that occur in the table
    bool c45_size = false;             // by C4.5's rule of the least size (4.2.3), between values that are apart
    bool at_boundaries = false;        // only cuts between different classes are tried
    std::int64_t pairs = 0;            // above 0: so many pairs of a column and a cut are drawn at a node
    bool random = false;               // one question per column, drawn
    int intervals = 0;                 // above 0: a column is cut into up to so many intervals at once,
    bool intervals_by_mdlp = false;    // or into as many as a test accepts,
    bool intervals_with_cuts = false;  // and in two as well
};

// Questions about categories.
struct LevelPlan {
    NominalSearch search = NominalSearch::ordered_categories;
    bool admits_zero = false;        // a question may have gain 0
    int size_limit = 0;              // all_subsets: the levels of the smaller side; 0: half of them
    int try_all = 12;                // best_subset: up to so many levels all sets are tried
    bool every_set = false;          // best_subset: for two classes and numbers too
    bool once_per_path = false;      // a category asked about by every value is not asked about again below
    bool declared = false;           // every declared level has a branch, empty ones too; one_value: is in the rest
    bool criterion_chooses = false;  // superclasses: among the best sets of all groupings
    bool by_ratio = false;           // one_value: the level of largest score over split information
    int tries = 100;                 // random_subsets: how many are drawn
    int many = 50;                   // many_levels: what counts as many, and what is done then
    double few = 10.0, min_weight = 5.0, shrinkage = 10.0;
    bool penalizes_sets = true;

    // Whether questions have a branch per level, or group of levels.
    bool asks_each() const { return search == NominalSearch::each_value || search == NominalSearch::c45_groups; }
};

// What rows without a value do.
struct MissingPlan {
    HoleRule counted = HoleRule::apart;
    FillBy fill = FillBy::nothing;
    bool shares = false;               // a row of unknown answer goes down every branch in part
    std::int64_t surrogates = -1;      // how many a node keeps; -1: rows of unknown answer ask none
    bool surrogates_of_known = false;  // agreement is a share of the rows where both are known
    bool is_tested = false;            // whether a value is missing is a question about every column
    bool stays = false;  // a row whose answer is unknown ends at the node (else: it follows the larger branch)
};

// The user's question for the root, or for a branch of the question above it.
struct FirstQuestion {
    GivenQuestion question;
    std::array<std::int32_t, 2> below = {-1, -1};  // the first questions of its branches; -1: none
};

// The user's questions.
struct GivenPlan {
    std::vector<GivenQuestion> list;   // in the order in which ties are decided
    std::vector<FirstQuestion> first;  // that of the root is the first of them
};

struct Plan {
    std::int64_t n_rows = 0;
    std::vector<SourceColumn> columns;
    Target target;

    CriterionPlan criterion;
    CutPlan cuts;
    LevelPlan levels;
    std::vector<ManyPlan> many;  // searches of many columns at once, in order
    GivenPlan given;
    Lookahead lookahead = Lookahead::never;  // when questions are scored two levels deep
    std::int64_t lookahead_quantiles = 32;
    std::vector<double> column_cost;
    std::vector<double> price;  // of every kind of question, by its number in model files; empty: none
    MissingPlan missing;
    StopRules stops;
    Order order = Order::depth_first;
    std::int64_t competitors = 0;  // how many of the questions that came next a node keeps

    std::int64_t max_features = -1;  // drawn at each node; -1: all
    std::uint64_t seed = 0, tree = 0;
    int threads = 0;

    // Whether there are other searches than those that look ahead.
    bool has_other_searches() const {
        return cuts.is_used || levels.search != NominalSearch::none || missing.is_tested || !many.empty();
    }
    // Whether the question whether a value is missing waits for those that look ahead.
    bool asks_missing_last() const {
        return lookahead == Lookahead::always || (lookahead == Lookahead::stuck && !has_other_searches());
    }
    // Whether other searches may use a column that was asked about by every value.
    bool uses_asked() const {
        return cuts.random || lookahead != Lookahead::never || missing.is_tested || !given.list.empty();
    }
    // Whether a random question about levels competes with that of another search.
    bool searches_levels_twice() const { return cuts.random && levels.search != NominalSearch::none; }
    // Whether some search reads the values of columns of a kind beside cuts, bins and sets of levels,
    bool reads_values(Kind kind) const {
        return missing.is_tested || lookahead != Lookahead::never || (kind != Kind::nominal && cuts.intervals > 0) ||
               std::any_of(many.begin(), many.end(), [&](const ManyPlan& each) { return each.reads(kind); });
    }
    // and whether any search reads them.
    bool reads(Kind kind) const {
        const bool has_levels = levels.search != NominalSearch::none || cuts.random;
        return reads_values(kind) || (kind == Kind::nominal ? has_levels : cuts.is_used);
    }
};

// Whole numbers in the narrowest type that holds them all.
using WholeNumbers = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

// The arrays of the nodes of a tree, as in tree/nodes.py.
struct NodeArrays {
    int width = 0;                    // numbers of `stats` per node
    WholeNumbers counts, row_counts;  // instead of `stats` and `rows` where these are small whole numbers
    std::vector<std::int32_t> parent, first_child, n_branches, question, missing_branch, depth;
    std::vector<std::int8_t> reason;
    std::vector<std::int64_t> rows;
    std::vector<double> weight, stats, impurity, gain, score;
    std::vector<double> answer;  // where the core knows it: the heaviest class of every node, or a quantile
};

// A question table: one question per inner node, then those of surrogates, competitors and literals.
struct QuestionArrays {
    std::vector<std::int8_t> question_kind, encoding;
    std::vector<std::int32_t> column, whole;
    std::vector<std::int64_t> whole_start, reals_start;  // of every question, and where the last one ends
    std::vector<double> reals;

    // Appends a question whose numbers were appended to `whole` and `reals`; returns its row.
    std::int32_t add(std::int32_t of_column, std::int8_t kind, Encoding encoded) {
        column.push_back(of_column);
        question_kind.push_back(kind);
        encoding.push_back(static_cast<std::int8_t>(encoded));
        whole_start.push_back(static_cast<std::int64_t>(whole.size()));
        reals_start.push_back(static_cast<std::int64_t>(reals.size()));
        return static_cast<std::int32_t>(column.size()) - 1;
    }
};

// The questions that nodes keep beside their own.
struct KeptArrays {
    std::vector<std::int64_t> surrogate_start, competitor_start;
    std::vector<std::int32_t> surrogate_question, competitor_question;
    std::vector<std::int8_t> surrogate_flipped;
    std::vector<double> surrogate_agree, surrogate_adjusted, competitor_gain, competitor_score;
};

// What comes back from a growth.
struct Grown : NodeArrays, QuestionArrays, KeptArrays {};

}  // namespace hornbeam
