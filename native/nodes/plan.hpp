// Plan: the data and the parts of a growth: searches, criterion, missing-value strategy, stops.
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
#include "searches/level_search.hpp"

namespace hornbeam {

enum class Lookahead : int { never, stuck, always };
enum class Order : int { depth_first, level_wise, best_first };

// The criterion, and the predictions of leaves.
struct CriterionPlan {
    std::string name = "gini";
    double quantile = -1.0;  // the criterion is the loss of this quantile, times `scale`; below 0: another one
    double scale = 1.0;
    std::vector<double> costs;    // costs[truth * K + prediction]; empty: no costs
    double leaf_quantile = -1.0;  // the prediction of a leaf; below 0: the mean, or a class
    bool c45 = false;             // penalty for cuts, average-gain rule, ratio between columns
    bool c45_by_gain = false;     // gain between columns, without the average
    bool zero_gain = false;       // any question may have gain 0

    bool uses_quantile() const { return quantile >= 0 || leaf_quantile >= 0; }
};

// Searches of numeric and ordinal columns.
struct CutPlan {
    bool is_used = true;               // whether there is such a search
    int bins = 0;                      // above 0: numeric columns have this many bins
    bool at_data = false;              // thresholds are values that occur in the table
    bool c45_size = false;             // C4.5's minimum branch size (4.2.3) and minimum gap between values
    bool at_boundaries = false;        // only cuts between different classes are tried
    std::int64_t pairs = 0;            // above 0: number of pairs of column and cut sampled at a node
    bool random = false;               // one random question per column
    int intervals = 0;                 // above 0: maximum number of intervals of a column,
    bool intervals_by_mdlp = false;    // or as many as the MDL test accepts,
    bool intervals_with_cuts = false;  // in addition to single cuts
};

// The missing-value strategy.
struct MissingPlan {
    MissingMode mode = MissingMode::apart;
    ImputeBy impute = ImputeBy::nothing;
    bool is_fractional = false;        // a row with a missing value follows all branches, with fractions of its weight
    std::int64_t surrogates = -1;      // maximum per node; -1: no surrogates
    bool surrogates_of_known = false;  // agreement is a fraction of the rows where both questions are defined
    bool is_tested = false;            // "is missing" is a question about every column
    bool stays = false;                // an undecided row ends at the node (else: it follows the majority branch)
};

// A question of the user for the root, or for a branch of the question above it.
struct FirstQuestion {
    GivenQuestion question;
    std::array<std::int32_t, 2> below = {-1, -1};  // indices of the questions of its branches; -1: none
};

// The user's questions.
struct GivenPlan {
    std::vector<GivenQuestion> list;   // in the order that decides ties
    std::vector<FirstQuestion> first;  // questions of fixed nodes; the first is that of the root
};

struct Plan {
    std::int64_t n_rows = 0;
    std::vector<SourceColumn> columns;
    Target target;

    CriterionPlan criterion;
    CutPlan cuts;
    LevelSearchPointer levels;   // the search of nominal columns; null: none
    std::vector<ManyPlan> many;  // searches of several columns at once, in order
    GivenPlan given;
    Lookahead lookahead = Lookahead::never;  // when questions are scored by two levels
    std::int64_t lookahead_quantiles = 32;
    std::vector<double> column_cost;
    std::vector<double> split_penalty;  // per kind of question, by its code in model files; empty: none
    MissingPlan missing;
    StopRules stops;
    Order order = Order::depth_first;
    std::int64_t competitors = 0;  // maximum number of competitors per node

    std::int64_t max_features = -1;  // number of columns sampled at each node; -1: all
    std::uint64_t seed = 0, tree = 0;
    int threads = 0;

    // Whether questions about levels have a branch per level or group of levels.
    bool is_multiway() const { return levels && levels->is_multiway(); }
    // Whether there are searches other than lookahead.
    bool has_other_searches() const { return cuts.is_used || levels != nullptr || missing.is_tested || !many.empty(); }
    // Whether "is missing" is scored after lookahead.
    bool tests_missing_last() const {
        return lookahead == Lookahead::always || (lookahead == Lookahead::stuck && !has_other_searches());
    }
    // Whether other searches may use a column that was split into all levels.
    bool reuses_columns() const {
        return cuts.random || lookahead != Lookahead::never || missing.is_tested || !given.list.empty();
    }
    // Whether a random question about levels competes with the question of another search.
    bool searches_levels_twice() const { return cuts.random && levels != nullptr; }
    // Whether a search other than cuts, bins and sets of levels reads the values of columns of a kind,
    bool reads_values(Kind kind) const {
        return missing.is_tested || lookahead != Lookahead::never || (kind != Kind::nominal && cuts.intervals > 0) ||
               std::any_of(many.begin(), many.end(), [&](const ManyPlan& each) { return each.reads(kind); });
    }
    // and whether any search does.
    bool reads(Kind kind) const {
        const bool has_levels = levels != nullptr || cuts.random;
        return reads_values(kind) || (kind == Kind::nominal ? has_levels : cuts.is_used);
    }
};

// Integers in the narrowest type that can store all of them.
using NarrowIntegers = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

// The arrays of the nodes of a tree, as in tree/nodes.py.
struct NodeArrays {
    int width = 0;                      // values of `stats` per node
    NarrowIntegers counts, row_counts;  // replace `stats` and `rows` if these are small integers
    std::vector<std::int32_t> parent, first_child, n_branches, question, missing_branch, depth;
    std::vector<std::int8_t> reason;
    std::vector<std::int64_t> rows;
    std::vector<double> weight, stats, impurity, gain, score;
    std::vector<double> prediction;  // if the core computes it: the majority class of each node, or a quantile
};

// A question table: one question per inner node, then surrogates, competitors and literals.
struct QuestionArrays {
    std::vector<std::int8_t> question_kind, encoding;
    std::vector<std::int32_t> column, whole;
    std::vector<std::int64_t> whole_start, reals_start;  // start of each question, and the end of the last
    std::vector<double> reals;

    // Appends a question whose numbers are already in `whole` and `reals`; returns its row.
    std::int32_t add(std::int32_t of_column, std::int8_t kind, Encoding encoded) {
        column.push_back(of_column);
        question_kind.push_back(kind);
        encoding.push_back(static_cast<std::int8_t>(encoded));
        whole_start.push_back(static_cast<std::int64_t>(whole.size()));
        reals_start.push_back(static_cast<std::int64_t>(reals.size()));
        return static_cast<std::int32_t>(column.size()) - 1;
    }
};

// The surrogates and competitors of nodes.
struct KeptArrays {
    std::vector<std::int64_t> surrogate_start, competitor_start;
    std::vector<std::int32_t> surrogate_question, competitor_question;
    std::vector<std::int8_t> surrogate_flipped;
    std::vector<double> surrogate_agree, surrogate_adjusted, competitor_gain, competitor_score;
};

// A grown tree.
struct Grown : NodeArrays, QuestionArrays, KeptArrays {};

}  // namespace hornbeam
