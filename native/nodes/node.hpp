// A node while the tree grows: its statistics, its best question, its place in the tree.
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

// The rows of a node in the order of their numbers, where a quantile is sought.
struct TargetOrder {
    std::vector<std::int64_t> values;   // of every rank, in fixed point
    std::vector<std::int64_t> weights;  // empty: one unit each
    std::vector<std::uint32_t> place;   // of every rank: among the distinct numbers
    std::vector<double> numbers;        // the distinct numbers, ascending,
    std::vector<double> rounded;        // and their values in real units: equal partitions of rows have equal scores
};

// The exact sums over a node's rows, in the target's units.
struct Totals {
    std::uint64_t id = 1;  // of the node
    std::int64_t rows = 0, weight = 0;
    CellSums cell;                    // of the statistic: class weights, or weight and sum
    std::int64_t squares = 0;         // classes: the sum of their squares, where the criterion asks for it
    bool is_one_number = false;       // all rows have the same target
    double deviance = 0.0;            // Poisson: half the deviance from the mean, over the mean
    double mean = 0.0;                // numbers: exact up to rounding, however light the node is
    double spread = 0.0;              // numbers: weighted sum of squares about the mean, in real units
    double risk = 0.0, answer = 0.0;  // numbers by quantile: the criterion's impurity; what a leaf says
    std::shared_ptr<const TargetOrder> order = {};

    std::int64_t sum() const { return cell[1]; }  // numbers
    Center center() const { return {weight, sum()}; }
};

// Which levels go where.
struct Grouping {
    std::vector<std::uint32_t> levels;    // the codes present
    std::vector<std::int32_t> branch;     // the branch of each
    std::vector<std::int32_t> branch_of;  // once chosen: the branch of every code, -1 for none
};

// The branch of missing values where they have one of their own.
enum class OwnBranch : std::int8_t {
    to_add,  // its decrease is to be added to the score
    scored,  // the score has it
    none,    // the question does not have it, and its gain is final
};

// A column's best question at a node.
struct Candidate {
    enum class Type : std::int8_t { none, constant, cut, map, missing, many };
    static constexpr std::int8_t MISSING_RANK = 2, EACH_RANK = 3, INTERVALS_RANK = 4, AHEAD_RANK = 9;
    Type type = Type::none;
    std::int8_t rank = 0;  // of its kind among the questions about a column (definition 1.4)
    std::int32_t column = -1;
    double score = 0.0, gain = 0.0, information = 0.0;
    bool is_free = false;          // admitted with no gain at all
    std::int32_t below = 0;        // cut of a sorted list: rows below it
    std::uint32_t code = 0;        // cut of a coded column: the highest code below it
    double low = 0.0, high = 0.0;  // the values on both sides of a cut
    std::int32_t n_branches = 2;
    std::int32_t missing_branch = -1;  // where the search sends missing values; -1: it has no say
    OwnBranch own = OwnBranch::to_add;
    bool asks_each = false;                 // map: a branch per level, or group of levels, not a set against the rest
    std::shared_ptr<Grouping> groups = {};  // map
    std::shared_ptr<const ManyQuestion> many = {};
    std::shared_ptr<const std::vector<double>> cuts = {};  // of intervals, ascending
    std::shared_ptr<Candidate> second = {};                // what another search of the same column found

    std::size_t n_cuts() const { return cuts ? cuts->size() : 1; }
    bool found() const { return type != Type::none && type != Type::constant; }
    // Adds what another search of the column found, if that may differ at the node.
    void add(std::shared_ptr<Candidate> other) {
        if (!other || other->type == Type::constant) return;
        other->second = std::move(second);
        second = std::move(other);
    }
};

// A node of a fragment; its index in the final arrays is decided at the end. Data of variable length is in the pools of
// the fragment, at the indices `..._at`; `first_child` is an index in the same fragment.
struct Record : NodeRecord {
    std::int32_t n_branches = 0;
    std::int32_t moved_to = -1;  // the fragment whose node 0 this is
    std::int32_t stats_at = 0;
    bool asks_missing = false;  // the question is whether the value is missing
    bool asks_each = false;     // a branch per level, or group of levels
    std::int32_t map_at = -1;   // the branch of every level
    std::int32_t many_at = -1;  // a question about many columns
    std::int32_t cuts_at = -1;  // those of intervals, and their number
    std::int32_t n_cuts = 0;
    std::int32_t missing_branch = -1;
    std::int32_t kept_at = -1;  // surrogates, then competitors
    std::int32_t n_surrogates = 0, n_competitors = 0;
    std::int32_t depth = 0;
    double mean = 0.0, score = 0.0, answer = 0.0;
};

// A part of the tree grown by one worker.
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

// A part of a list.
struct Span {
    std::int32_t begin = 0, end = 0;
    std::int32_t size() const { return end - begin; }
};

// The rows of a node: a range of the row list of a block, and of every sorted list.
struct NodeSlice {
    AnyBlock& block;
    std::int32_t begin, end;
    std::int32_t rows() const { return end - begin; }
};

// A node as a search of its columns reads it.
struct NodeView : NodeSlice {
    const Totals& totals;
    double impurity;
    const std::vector<std::int32_t>* used = nullptr;  // columns that are not tested by every value again

    bool is_used(std::int32_t column) const {
        return used && std::find(used->begin(), used->end(), column) != used->end();
    }
};

// A node that will be split: its rows, and the best question about them.
struct Open {
    std::shared_ptr<AnyBlock> block;
    std::shared_ptr<Histogram> cells;  // bins: the sums of all columns, where they are kept
    std::int32_t record = 0;
    std::int32_t begin = 0, end = 0;
    std::int32_t depth = 0;
    std::uint64_t id = 1;
    std::size_t n_asked = 0;         // columns that may not be asked about again
    std::vector<std::int32_t> used;  // columns that may, but not by every value
    std::int32_t first = -1;         // the user's question for the node, which is its best one; -1: there is none
    Totals totals;
    double impurity = 0.0;
    Candidate best;
    std::vector<KeptQuestion> surrogates, competitors;
    std::vector<std::int32_t> active;  // the columns that may still differ here
    std::vector<Span> spans;           // of each of them: the node's entries of a sparse column
    std::int32_t rows() const { return end - begin; }
    NodeSlice slice() const { return {*block, begin, end}; }
    NodeView view() const { return {slice(), totals, impurity, &used}; }
};

}  // namespace hornbeam
