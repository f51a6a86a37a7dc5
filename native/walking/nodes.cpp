// Checks and steps of the nodes of nodes.hpp.
#include "walking/nodes.hpp"

#include <algorithm>
#include <limits>

namespace hornbeam {

NodeTable::NodeTable(const TreeArrays& tree)
    : questions_(tree),
      first_child_(copied(tree.first_child)),
      n_branches_(copied(tree.n_branches)),
      question_(copied(tree.question)),
      missing_branch_(copied(tree.missing_branch)),
      majority_(tree.first_child.size(), 0),
      weight_(copied(tree.weight)),
      surrogate_start_(copied(tree.surrogate_start)),
      surrogate_question_(copied(tree.surrogate_question)),
      surrogate_flipped_(copied(tree.surrogate_flipped)),
      unseen_(tree.unseen) {
    const std::size_t n = size();
    require(n > 0 && n <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()), "node count", n);
    require(n_branches_.size() == n && question_.size() == n && missing_branch_.size() == n && weight_.size() == n &&
                surrogate_start_.size() == n + 1 && surrogate_flipped_.size() == surrogate_question_.size(),
            "array lengths differ", n);
    for (std::size_t node = 0; node < n; ++node) check_node(node);
}

void NodeTable::check_node(std::size_t node) {
    require(surrogate_start_[node] >= 0 && surrogate_start_[node] <= surrogate_start_[node + 1] &&
                static_cast<std::size_t>(surrogate_start_[node + 1]) <= surrogate_question_.size(),
            "surrogates", node);
    if (first_child_[node] < 0) return;
    const std::int32_t branches = n_branches_[node];
    require(branches >= 2 && static_cast<std::size_t>(first_child_[node]) > node &&
                static_cast<std::size_t>(first_child_[node]) + static_cast<std::size_t>(branches) <= size(),
            "children of node", node);
    require(missing_branch_[node] >= ALL_BRANCHES && missing_branch_[node] < branches, "missing branch of node", node);
    auto fits = [&](std::int32_t q) {
        return q >= 0 && static_cast<std::size_t>(q) < questions_.size() && questions_.max_branches(q) <= branches;
    };
    require(fits(question_[node]), "question of node", node);
    for (std::int64_t s = surrogate_start_[node]; s < surrogate_start_[node + 1]; ++s) {
        const auto at = static_cast<std::size_t>(s);
        require(fits(surrogate_question_[at]) && (surrogate_flipped_[at] == 0 || branches == 2), "surrogate", at);
    }
    for (std::int32_t b = 1; b < branches; ++b) {
        const auto first = static_cast<std::size_t>(first_child_[node]);
        if (weight_[first + static_cast<std::size_t>(b)] > weight_[first + static_cast<std::size_t>(majority_[node])]) {
            majority_[node] = b;
        }
    }
}

Step NodeTable::step(std::int32_t node, const WalkColumn* columns, std::int64_t row) const {
    std::int32_t branch = questions_.outcome(question_[node], columns, row);
    if (branch >= 0) return {branch, false, false};
    const bool is_unseen = branch == UNSEEN_LEVEL;
    if (is_unseen && unseen_ == Unseen::majority) return {majority_[node], true, false};
    if (is_unseen && unseen_ != Unseen::as_missing) return {STAY, true, unseen_ == Unseen::error};
    for (std::int64_t s = surrogate_start_[node]; s < surrogate_start_[node + 1]; ++s) {
        branch = questions_.outcome(surrogate_question_[s], columns, row);
        if (branch >= 0) return {surrogate_flipped_[s] != 0 ? 1 - branch : branch, is_unseen, false};
    }
    return {missing_branch_[node], is_unseen, false};
}

RowEnd NodeTable::end_of(const WalkColumn* columns, std::int64_t row) const {
    RowEnd end;
    while (first_child_[end.node] >= 0) {
        const Step next = step(end.node, columns, row);
        end.has_unseen |= next.has_unseen;
        end.rejected = next.rejected;
        if (next.branch < 0) {
            end.is_fractional = next.branch == ALL_BRANCHES;
            break;
        }
        end.node = first_child_[end.node] + next.branch;
    }
    return end;
}

std::int32_t NodeTable::direct_branch(std::int32_t node, std::int32_t outcome) const {
    if (outcome >= 0) return outcome;
    if (outcome == UNSEEN_LEVEL && unseen_ == Unseen::majority) return majority_[node];
    if (outcome == UNSEEN_LEVEL && unseen_ != Unseen::as_missing) return -1;
    if (surrogate_start_[node] != surrogate_start_[node + 1]) return -1;
    return missing_branch_[node] >= 0 ? missing_branch_[node] : -1;
}

std::vector<std::int32_t> NodeTable::questions_at(std::int32_t node) const {
    std::vector<std::int32_t> found{question_[node]};
    for (std::int64_t s = surrogate_start_[node]; s < surrogate_start_[node + 1]; ++s) {
        found.push_back(surrogate_question_[s]);
    }
    return found;
}

SingleCut NodeTable::single_cut(std::int32_t node) const {
    if (first_child_[node] < 0) return {};
    const EncodedQuestion& q = questions_[question_[node]];
    if (q.encoding != Encoding::cuts || q.n_reals != 1 || q.first != 0) return {};
    if (questions_.n_levels()[q.column] != 0) return {};
    SingleCut found{q.column, q.missing_answer, *questions_.reals_of(q)};
    if (found.missing == UNDEFINED && surrogate_start_[node] == surrogate_start_[node + 1]) {
        found.missing = std::max(missing_branch_[node], UNDEFINED);  // STAY and ALL_BRANCHES are left to `step`
    }
    return found;
}

}  // namespace hornbeam
