// Builds the layout of a Walker: checks all indices, renumbers the columns to those in use, builds compact nodes if
// possible.
#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "walking/walk.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t MAX_MASK_LEVELS = 62;
constexpr std::int32_t MAX_LITERALS = 256;

void require(bool is_valid, const char* what, std::size_t where) {
    if (!is_valid) throw std::invalid_argument(std::string(what) + " at " + std::to_string(where));
}

template <class T>
std::vector<T> copied(std::span<const T> from) {
    return std::vector<T>(from.begin(), from.end());
}

}  // namespace

Walker::Walker(const TreeArrays& tree) {
    check_and_copy(tree);
    find_columns();
    for (const std::int32_t column : used_) used_levels_.push_back(tree.n_levels[static_cast<std::size_t>(column)]);
    build_compact();
}

void Walker::check_and_copy(const TreeArrays& tree) {
    first_child_ = copied(tree.first_child);
    n_branches_ = copied(tree.n_branches);
    question_ = copied(tree.question);
    missing_branch_ = copied(tree.missing_branch);
    weight_ = copied(tree.weight);
    surrogate_start_ = copied(tree.surrogate_start);
    surrogate_question_ = copied(tree.surrogate_question);
    surrogate_flipped_ = copied(tree.surrogate_flipped);
    whole_ = copied(tree.whole);
    reals_ = copied(tree.reals);
    unseen_ = tree.unseen;
    const std::size_t n = first_child_.size();
    const std::size_t m = tree.encoding.size();
    require(n > 0 && n <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()), "node count", n);
    require(n_branches_.size() == n && question_.size() == n && missing_branch_.size() == n && weight_.size() == n &&
                surrogate_start_.size() == n + 1 && surrogate_flipped_.size() == surrogate_question_.size(),
            "array lengths differ", n);
    require(tree.column.size() == m && tree.first.size() == m && tree.missing_answer.size() == m &&
                tree.whole_start.size() == m + 1 && tree.reals_start.size() == m + 1,
            "question array lengths differ", m);
    expanded_.assign(m, 0);
    for (std::size_t q = 0; q < m; ++q) {
        const std::int64_t whole = tree.whole_start[q], whole_end = tree.whole_start[q + 1];
        const std::int64_t reals = tree.reals_start[q], reals_end = tree.reals_start[q + 1];
        require(0 <= whole && whole <= whole_end && static_cast<std::size_t>(whole_end) <= whole_.size(), "pool", q);
        require(0 <= reals && reals <= reals_end && static_cast<std::size_t>(reals_end) <= reals_.size(), "pool", q);
        questions_.push_back({static_cast<Encoding>(tree.encoding[q]), tree.column[q], tree.first[q],
                              tree.missing_answer[q], whole, whole_end - whole, reals, reals_end - reals});
        check_question(q, tree.n_levels);
    }
    majority_.assign(n, 0);
    for (std::size_t t = 0; t < n; ++t) {
        require(surrogate_start_[t] >= 0 && surrogate_start_[t] <= surrogate_start_[t + 1] &&
                    static_cast<std::size_t>(surrogate_start_[t + 1]) <= surrogate_question_.size(),
                "surrogates", t);
        if (first_child_[t] < 0) continue;
        const std::int32_t branches = n_branches_[t];
        require(branches >= 2 && static_cast<std::size_t>(first_child_[t]) > t &&
                    static_cast<std::size_t>(first_child_[t]) + static_cast<std::size_t>(branches) <= n,
                "children of node", t);
        require(missing_branch_[t] >= ALL_BRANCHES && missing_branch_[t] < branches, "missing branch of node", t);
        auto fits = [&](std::int32_t q) {
            return q >= 0 && static_cast<std::size_t>(q) < m && max_branches(q) <= branches;
        };
        require(fits(question_[t]), "question of node", t);
        for (std::int64_t s = surrogate_start_[t]; s < surrogate_start_[t + 1]; ++s) {
            const auto at = static_cast<std::size_t>(s);
            require(fits(surrogate_question_[at]) && (surrogate_flipped_[at] == 0 || branches == 2), "surrogate", at);
        }
        for (std::int32_t b = 1; b < branches; ++b) {
            const auto first = static_cast<std::size_t>(first_child_[t]);
            if (weight_[first + static_cast<std::size_t>(b)] >
                weight_[first + static_cast<std::size_t>(majority_[t])]) {
                majority_[t] = b;
            }
        }
    }
}

std::int32_t Walker::max_branches(std::int32_t question) const {
    const Question& q = questions_[static_cast<std::size_t>(question)];
    if (q.encoding == Encoding::cuts) return q.first + static_cast<std::int32_t>(q.n_reals) + 1;
    if (q.encoding != Encoding::map) return 2;
    const auto* begin = whole_.data() + q.whole;
    return q.n_whole > 0 ? *std::max_element(begin, begin + q.n_whole) + 1 : 1;
}

void Walker::check_question(std::size_t row, std::span<const std::int32_t> n_levels) {
    const Question& q = questions_[row];
    const std::int32_t* whole = whole_.data() + q.whole;
    auto is_column = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < n_levels.size(); };
    auto is_number = [&](std::int32_t c) { return is_column(c) && n_levels[static_cast<std::size_t>(c)] == 0; };
    switch (q.encoding) {
        case Encoding::cuts:
            require(is_column(q.column) && q.first >= 0 && q.first <= 1, "cuts question", row);
            break;
        case Encoding::map:
            require(is_column(q.column) && n_levels[static_cast<std::size_t>(q.column)] == q.n_whole, "map question",
                    row);
            break;
        case Encoding::plane:
        case Encoding::ball: {
            const bool is_ball = q.encoding == Encoding::ball;
            const std::int64_t bare = (is_ball ? 2 * q.n_whole : q.n_whole) + 1;
            require(q.n_whole > 0 && (q.n_reals == bare || q.n_reals == bare + q.n_whole), "lengths of question", row);
            for (std::int64_t i = 0; i < q.n_whole; ++i) require(is_number(whole[i]), "column of question", row);
            break;
        }
        case Encoding::combined:
            require(q.n_whole >= 3 && q.n_whole % 2 == 1, "literals of question", row);
            expanded_[row] = 1;
            for (std::int64_t i = 1; i < q.n_whole; i += 2) {
                require(whole[i] >= 0 && static_cast<std::size_t>(whole[i]) < row && max_branches(whole[i]) <= 2,
                        "literal of question", row);
                // Limits the work and the depth of nested questions.
                expanded_[row] += std::max(expanded_[static_cast<std::size_t>(whole[i])], 1);
                require(expanded_[row] <= MAX_LITERALS, "too many literals in question", row);
            }
            break;
        default:
            require(false, "unknown encoding of question", row);
    }
    require(q.missing_answer >= UNDEFINED && q.missing_answer <= 1, "missing answer of question", row);
}

// Finds the columns in use and renumbers the questions to them.
void Walker::find_columns() {
    auto each_column = [&](auto&& visit) {
        for (Question& q : questions_) {
            if (q.encoding == Encoding::cuts || q.encoding == Encoding::map) visit(q.column);
            if (q.encoding == Encoding::plane || q.encoding == Encoding::ball) {
                for (std::int64_t i = 0; i < q.n_whole; ++i) visit(whole_[static_cast<std::size_t>(q.whole + i)]);
            }
        }
    };
    each_column([&](std::int32_t column) { used_.push_back(column); });
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    each_column([&](std::int32_t& column) {
        column = static_cast<std::int32_t>(std::lower_bound(used_.begin(), used_.end(), column) - used_.begin());
    });
}

void Walker::build_compact() {
    const std::size_t n = first_child_.size();
    if (n == 1) return;
    compact_.resize(n);
    compact_unseen_.assign(n, 0);
    compact_uses_.assign(used_.size(), 0);
    for (std::size_t node = 0; node < n; ++node) {
        if (first_child_[node] < 0) {
            const double never = std::numeric_limits<double>::infinity();
            // A leaf reads the column of the root, which always exists, and never goes right.
            const std::int32_t column = (compact_[0].column < 0 ? ~compact_[0].column : compact_[0].column) & ~1;
            compact_[node] = {std::bit_cast<std::uint64_t>(never), column, static_cast<std::int32_t>(node)};
        } else if (!compact_node(node)) {
            compact_.clear();
            return;
        }
    }
}

// The branch of an outcome if it does not depend on other columns, else -1.
std::int32_t Walker::direct_branch(std::size_t node, std::int32_t outcome) const {
    if (outcome >= 0) return outcome;
    if (outcome == UNSEEN_LEVEL && unseen_ == Unseen::majority) return majority_[node];
    if (outcome == UNSEEN_LEVEL && unseen_ != Unseen::as_missing) return -1;
    if (surrogate_start_[node] != surrogate_start_[node + 1]) return -1;
    return missing_branch_[node] >= 0 ? missing_branch_[node] : -1;
}

bool Walker::compact_node(std::size_t node) {
    const Question& q = questions_[static_cast<std::size_t>(question_[node])];
    if (n_branches_[node] != 2) return false;
    if (q.encoding != Encoding::cuts && q.encoding != Encoding::map) return false;
    compact_uses_[static_cast<std::size_t>(q.column)] = 1;
    const std::int32_t levels = used_levels_[static_cast<std::size_t>(q.column)];
    if (levels == 0) {
        if (q.n_reals != 1 || q.first != 0) return false;
        const std::int32_t missing = direct_branch(node, q.missing_answer);
        compact_takes_missing_ = compact_takes_missing_ && missing >= 0;
        const double cut = reals_[static_cast<std::size_t>(q.reals)];
        compact_[node] = {std::bit_cast<std::uint64_t>(cut), 2 * q.column + (missing == 1 ? 1 : 0), first_child_[node]};
        return true;
    }
    if (levels > MAX_MASK_LEVELS) return false;
    compact_has_masks_ = true;
    std::uint64_t right = 0;
    for (std::int32_t code = UNSEEN_CODE; code < levels; ++code) {
        const WalkColumn column{nullptr, &code};
        const std::int32_t outcome =
            q.encoding == Encoding::cuts ? cuts_outcome(q, column, 0) : map_outcome(q, column, 0);
        const std::int32_t branch = direct_branch(node, outcome);
        const std::uint64_t bit = std::uint64_t{1} << (code + 2);
        if (outcome == UNSEEN_LEVEL) compact_unseen_[node] |= bit;
        if (branch < 0 && code >= 0) return false;
        if (branch < 0) compact_takes_missing_ = false;
        if (branch == 1) right |= bit;
    }
    compact_[node] = {right, ~(2 * q.column), first_child_[node]};
    return true;
}

}  // namespace hornbeam
