// NodeTable: the nodes of a tree with their questions, and the step of a row from a node to a branch.
#pragma once

#include <cstdint>
#include <vector>

#include "walking/questions.hpp"

namespace hornbeam {

// One step from a node: a branch, or STAY or ALL_BRANCHES as in missing_branch.
struct Step {
    std::int32_t branch;
    bool has_unseen;
    bool rejected;
};

// Where one row ends; if it is fractional, the node at which it is first distributed.
struct RowEnd {
    std::int32_t node = 0;
    bool is_fractional = false;
    bool has_unseen = false;
    bool rejected = false;
};

// A node that tests one cut of a numeric column: the column, the cut, and the branch of a missing value, UNDEFINED if
// that depends on other columns. The column is -1 for all other nodes.
struct SingleCut {
    std::int32_t column = -1;
    std::int32_t missing = UNDEFINED;
    double cut = 0.0;
};

class NodeTable {
  public:
    // Checks every index; throws std::invalid_argument if one is out of range.
    explicit NodeTable(const TreeArrays& tree);

    const QuestionTable& questions() const noexcept { return questions_; }
    std::size_t size() const noexcept { return first_child_.size(); }
    std::int32_t first_child(std::int32_t node) const { return first_child_[node]; }
    std::int32_t n_branches(std::int32_t node) const { return n_branches_[node]; }
    std::int32_t question(std::int32_t node) const { return question_[node]; }
    std::int32_t missing_branch(std::int32_t node) const { return missing_branch_[node]; }
    double weight(std::int32_t node) const { return weight_[node]; }
    bool takes_unseen_as_missing() const noexcept { return unseen_ == Unseen::as_missing; }

    // One step from a node, which the row need not reach from the root.
    Step step(std::int32_t node, const WalkColumn* columns, std::int64_t row) const;
    RowEnd end_of(const WalkColumn* columns, std::int64_t row) const;
    // The branch of an outcome if it does not depend on other columns, else -1.
    std::int32_t direct_branch(std::int32_t node, std::int32_t outcome) const;
    // The question of a node, then its surrogates in order.
    std::vector<std::int32_t> questions_at(std::int32_t node) const;
    SingleCut single_cut(std::int32_t node) const;

  private:
    void check_node(std::size_t node);

    QuestionTable questions_;
    std::vector<std::int32_t> first_child_, n_branches_, question_, missing_branch_, majority_;
    std::vector<double> weight_;
    std::vector<std::int64_t> surrogate_start_;
    std::vector<std::int32_t> surrogate_question_;
    std::vector<std::int8_t> surrogate_flipped_;
    Unseen unseen_;
};

}  // namespace hornbeam
