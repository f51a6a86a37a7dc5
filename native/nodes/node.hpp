// A node during growth: its statistics, its best question, its position in the tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/center.hpp"
#include "nodes/kept_question.hpp"
#include "nodes/node_record.hpp"
#include "nodes/plan.hpp"
#include "statistics/cell_sums.hpp"

namespace hornbeam {

// The rows of a node in the order of their target values, for criteria and leaves by quantile.
struct TargetOrder {
    std::vector<std::int64_t> values;        // of each rank, in fixed point
    std::vector<std::int64_t> weights;       // empty: one unit each
    std::vector<std::uint32_t> value_index;  // of each rank, in the distinct values
    std::vector<double> numbers;             // the distinct values, ascending,
    std::vector<double> rounded;             // and rounded to fixed point, so that equal partitions have equal scores
};

// The exact sums over the rows of a node, in the units of the target.
struct Totals {
    std::uint64_t id = 1;  // of the node
    std::int64_t rows = 0, weight = 0;
    CellSums cell;                        // of the statistic: class weights, or weight and sums
    std::int64_t squares = 0;             // classes: the sum of their squares, if the kernel needs it
    bool is_one_number = false;           // all rows have the same target
    double deviance = 0.0;                // Poisson: half the deviance from the mean, over the mean
    double mean = 0.0;                    // regression: exact up to rounding for any weight
    double spread = 0.0;                  // regression: weighted sum of squares about the mean, unscaled
    double risk = 0.0, prediction = 0.0;  // by quantile: the impurity; the prediction of a leaf
    std::shared_ptr<const TargetOrder> order = {};

    std::int64_t sum() const { return cell[1]; }  // regression
    Center center() const { return {weight, sum()}; }
};

// The branches of levels.
struct Grouping {
    std::vector<std::uint32_t> levels;    // the codes present
    std::vector<std::int32_t> branch;     // the branch of each
    std::vector<std::int32_t> branch_of;  // once chosen: the branch of each code, -1: none
};

// Whether the score of a question includes an additional branch of missing values.
enum class OwnBranch : std::int8_t {
    to_add,  // the decrease of the branch is still to be added
    scored,  // the score includes it
    none,    // the question has no such branch; its gain is final
};

// The best question about a column at a node.
struct Candidate {
    enum class Type : std::int8_t { none, constant, cut, map, missing, many };
    static constexpr std::int8_t MISSING_RANK = 2, MULTIWAY_RANK = 3, INTERVALS_RANK = 4, LOOKAHEAD_RANK = 9;
    Type type = Type::none;
    std::int8_t rank = 0;  // of its kind among questions about a column (definition 1.4)
    std::int32_t column = -1;
    double score = 0.0, gain = 0.0, information = 0.0;
    bool is_free = false;          // admissible with gain 0
    std::int32_t below = 0;        // cut of a sorted list: the number of rows below it
    std::uint32_t code = 0;        // cut of a coded column: the highest code below it
    double low = 0.0, high = 0.0;  // the values on both sides of a cut
    std::int32_t n_branches = 2;
    std::int32_t missing_branch = -1;  // of missing values by the search; -1: undecided
    OwnBranch own = OwnBranch::to_add;
    bool is_multiway = false;               // map: a branch per level or group of levels
    std::shared_ptr<Grouping> groups = {};  // map
    std::shared_ptr<const ManyQuestion> many = {};
    std::shared_ptr<const std::vector<double>> cuts = {};  // of intervals, ascending
    std::shared_ptr<Candidate> second = {};                // by another search of the same column

    std::size_t n_cuts() const { return cuts ? cuts->size() : 1; }
    bool found() const { return type != Type::none && type != Type::constant; }
    // Adds the candidate of another search of the column, unless the column is constant for it.
    void add(std::shared_ptr<Candidate> other) {
        if (!other || other->type == Type::constant) return;
        other->second = std::move(second);
        second = std::move(other);
    }
};

// A node of a fragment; its index in the final arrays is set at the end. Data of variable length is in the pools of the
// fragment, at the indices `..._at`; `first_child` is an index in the same fragment.
struct Record : NodeRecord {
    std::int32_t n_branches = 0;
    std::int32_t moved_to = -1;  // the fragment whose node 0 this is
    std::int32_t stats_at = 0;
    bool tests_missing = false;  // the question is "is missing"
    bool is_multiway = false;    // a branch per level or group of levels
    std::int32_t map_at = -1;    // the branch of each level
    std::int32_t many_at = -1;   // a question about several columns
    std::int32_t cuts_at = -1;   // cuts of intervals, and their number
    std::int32_t n_cuts = 0;
    std::int32_t missing_branch = -1;
    std::int32_t kept_at = -1;  // surrogates, then competitors
    std::int32_t n_surrogates = 0, n_competitors = 0;
    std::int32_t depth = 0;
    double mean = 0.0, score = 0.0, prediction = 0.0;
};

// The nodes of the tree that one worker grows.
struct Fragment {
    std::vector<Record> records;
    std::vector<std::int64_t> cells;  // of the statistic
    std::vector<std::int32_t> maps;
    std::vector<double> cuts;
    std::vector<std::shared_ptr<const ManyQuestion>> many;
    std::vector<KeptQuestion> kept;
};

class AnyBlock;
struct Histogram;

// A range of a list.
struct Span {
    std::int32_t begin = 0, end = 0;
    std::int32_t size() const { return end - begin; }
};

// The rows of a node: a range of the row list and of every sorted list of a block.
struct NodeSlice {
    AnyBlock& block;
    std::int32_t begin, end;
    std::int32_t rows() const { return end - begin; }
};

// A node as searches of its columns read it.
struct NodeView : NodeSlice {
    const Totals& totals;
    double impurity;
    const std::vector<std::int32_t>* used = nullptr;  // columns that are not split into all levels again

    bool is_used(std::int32_t column) const {
        return used && std::find(used->begin(), used->end(), column) != used->end();
    }
};

// A node that is to be split, with its rows and its best question.
struct Open {
    std::shared_ptr<AnyBlock> block;
    std::shared_ptr<Histogram> cells;  // bins: the sums of all columns, if stored
    std::int32_t record = 0;
    std::int32_t begin = 0, end = 0;
    std::int32_t depth = 0;
    std::uint64_t id = 1;
    std::size_t n_done = 0;          // columns that are not used again below
    std::vector<std::int32_t> used;  // columns that are not split into all levels again
    std::int32_t first = -1;         // index of the user's question for the node; -1: none
    Totals totals;
    double impurity = 0.0;
    Candidate best;
    std::vector<KeptQuestion> surrogates, competitors;
    std::vector<std::int32_t> active;  // the columns that may vary at the node
    std::vector<Span> spans;           // per active column: the entries of the node if it is sparse
    std::int32_t rows() const { return end - begin; }
    NodeSlice slice() const { return {*block, begin, end}; }
    NodeView view() const { return {slice(), totals, impurity, &used}; }
};

}  // namespace hornbeam
