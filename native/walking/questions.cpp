// Builds the table of questions.hpp: checks all indices and renumbers the columns to those in use; then the outcomes.
#include "walking/questions.hpp"

#include <algorithm>
#include <cmath>

namespace hornbeam {
namespace {

constexpr std::int32_t MAX_LITERALS = 256;

}  // namespace

QuestionTable::QuestionTable(const TreeArrays& tree) : whole_(copied(tree.whole)), reals_(copied(tree.reals)) {
    const std::size_t m = tree.encoding.size();
    require(tree.column.size() == m && tree.first.size() == m && tree.missing_answer.size() == m &&
                tree.whole_start.size() == m + 1 && tree.reals_start.size() == m + 1,
            "question array lengths differ", m);
    n_literals_.assign(m, 0);
    questions_.reserve(m);
    for (std::size_t q = 0; q < m; ++q) {
        const std::int64_t whole = tree.whole_start[q], whole_end = tree.whole_start[q + 1];
        const std::int64_t reals = tree.reals_start[q], reals_end = tree.reals_start[q + 1];
        require(0 <= whole && whole <= whole_end && static_cast<std::size_t>(whole_end) <= whole_.size(), "pool", q);
        require(0 <= reals && reals <= reals_end && static_cast<std::size_t>(reals_end) <= reals_.size(), "pool", q);
        questions_.push_back({static_cast<Encoding>(tree.encoding[q]), tree.column[q], tree.first[q],
                              tree.missing_answer[q], whole, whole_end - whole, reals, reals_end - reals});
        check(q, tree.n_levels);
    }
    find_columns();
    for (const std::int32_t column : used_) used_levels_.push_back(tree.n_levels[column]);
}

std::int32_t QuestionTable::max_branches(std::int32_t question) const {
    const EncodedQuestion& q = questions_[question];
    if (q.encoding == Encoding::cuts) return q.first + static_cast<std::int32_t>(q.n_reals) + 1;
    if (q.encoding != Encoding::map) return 2;
    const auto* begin = whole_.data() + q.whole;
    return q.n_whole > 0 ? *std::max_element(begin, begin + q.n_whole) + 1 : 1;
}

void QuestionTable::check(std::size_t index, std::span<const std::int32_t> n_levels) {
    const EncodedQuestion& q = questions_[index];
    const std::int32_t* whole = whole_.data() + q.whole;
    auto is_column = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < n_levels.size(); };
    auto is_number = [&](std::int32_t c) { return is_column(c) && n_levels[c] == 0; };
    switch (q.encoding) {
        case Encoding::cuts:
            require(is_column(q.column) && q.first >= 0 && q.first <= 1, "cuts question", index);
            break;
        case Encoding::map:
            require(is_column(q.column) && n_levels[q.column] == q.n_whole, "map question", index);
            break;
        case Encoding::plane:
        case Encoding::ball: {
            const bool is_ball = q.encoding == Encoding::ball;
            const std::int64_t bare = (is_ball ? 2 * q.n_whole : q.n_whole) + 1;
            require(q.n_whole > 0 && (q.n_reals == bare || q.n_reals == bare + q.n_whole), "lengths of question",
                    index);
            for (std::int64_t i = 0; i < q.n_whole; ++i) require(is_number(whole[i]), "column of question", index);
            break;
        }
        case Encoding::combined:
            require(q.n_whole >= 3 && q.n_whole % 2 == 1, "literals of question", index);
            n_literals_[index] = 1;
            for (std::int64_t i = 1; i < q.n_whole; i += 2) {
                require(whole[i] >= 0 && static_cast<std::size_t>(whole[i]) < index && max_branches(whole[i]) <= 2,
                        "literal of question", index);
                // Limits the work and the depth of nested questions.
                n_literals_[index] += std::max(n_literals_[whole[i]], 1);
                require(n_literals_[index] <= MAX_LITERALS, "too many literals in question", index);
            }
            break;
        default:
            require(false, "unknown encoding of question", index);
    }
    require(q.missing_answer >= UNDEFINED && q.missing_answer <= 1, "missing answer of question", index);
}

// Finds the columns in use and renumbers the questions to them.
void QuestionTable::find_columns() {
    auto each_column = [&](auto&& visit) {
        for (EncodedQuestion& q : questions_) {
            if (q.encoding == Encoding::cuts || q.encoding == Encoding::map) visit(q.column);
            if (q.encoding == Encoding::plane || q.encoding == Encoding::ball) {
                for (std::int64_t i = 0; i < q.n_whole; ++i) visit(whole_[q.whole + i]);
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

std::vector<std::int32_t> QuestionTable::columns_of(std::int32_t question) const {
    std::vector<std::int32_t> found;
    std::vector<std::int32_t> open{question};
    while (!open.empty()) {
        const EncodedQuestion& q = questions_[open.back()];
        open.pop_back();
        const std::int32_t* whole = whole_.data() + q.whole;
        switch (q.encoding) {
            case Encoding::cuts:
            case Encoding::map:
                found.push_back(q.column);
                break;
            case Encoding::plane:
            case Encoding::ball:
                found.insert(found.end(), whole, whole + q.n_whole);
                break;
            case Encoding::combined:
                for (std::int64_t i = 1; i + 1 < q.n_whole; i += 2) open.push_back(whole[i]);
                break;
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

namespace {

std::int32_t cuts_outcome(const QuestionTable& table, const EncodedQuestion& q, const WalkColumn& column,
                          std::int64_t row) {
    double x;
    if (column.numbers != nullptr) {
        x = column.numbers[row];
        if (std::isnan(x)) return q.missing_answer;
    } else {
        const std::int32_t code = column.codes[row];
        if (code == MISSING_CODE) return q.missing_answer;
        if (code == UNSEEN_CODE && q.n_reals > 0) return UNSEEN_LEVEL;
        x = code;
    }
    const double* cuts = table.reals_of(q);
    if (q.n_reals == 1) return q.first + (x > cuts[0] ? 1 : 0);
    return q.first + static_cast<std::int32_t>(std::lower_bound(cuts, cuts + q.n_reals, x) - cuts);
}

std::int32_t map_outcome(const QuestionTable& table, const EncodedQuestion& q, const WalkColumn& column,
                         std::int64_t row) {
    const std::int32_t code = column.codes[row];
    if (code == MISSING_CODE) return q.missing_answer;
    if (code < 0 || code >= q.n_whole) return UNSEEN_LEVEL;
    const std::int32_t branch = table.whole_of(q)[code];
    return branch < 0 ? UNSEEN_LEVEL : branch;
}

// The side of a plane, or inside or outside of a ball.
std::int32_t bound_outcome(const QuestionTable& table, const EncodedQuestion& q, const WalkColumn* columns,
                           std::int64_t row) {
    const bool is_ball = q.encoding == Encoding::ball;
    const double *first = table.reals_of(q), *scale = first + q.n_whole;  // weights; or the center and the scale
    const double* bound = is_ball ? scale + q.n_whole : scale;
    const double* fill = q.n_reals > bound - first + 1 ? bound + 1 : nullptr;
    double total = 0.0;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[table.whole_of(q)[i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        const double step = is_ball ? (value - first[i]) / scale[i] : 0.0;
        total += is_ball ? step * step : first[i] * value;
    }
    if (std::isnan(total)) return UNDEFINED;
    return total <= *bound ? 0 : 1;
}

// Kleene's logic: one literal may decide; otherwise the outcome is undefined if one literal is.
std::int32_t combined_outcome(const QuestionTable& table, const EncodedQuestion& q, const WalkColumn* columns,
                              std::int64_t row) {
    const std::int32_t* whole = table.whole_of(q);
    const std::int32_t decisive = whole[0] != 0 ? 0 : 1;
    std::int32_t unsure = 0;
    for (std::int64_t i = 1; i + 1 < q.n_whole; i += 2) {
        const std::int32_t branch = table.outcome(whole[i], columns, row);
        if (branch < 0) {
            unsure = std::min(unsure, branch);
        } else if ((whole[i + 1] != 0 ? 1 - branch : branch) == decisive) {
            return decisive;
        }
    }
    return unsure < 0 ? unsure : 1 - decisive;
}

}  // namespace

std::int32_t QuestionTable::outcome(std::int32_t question, const WalkColumn* columns, std::int64_t row) const {
    const EncodedQuestion& q = (*this)[question];
    switch (q.encoding) {
        case Encoding::cuts:
            return cuts_outcome(*this, q, columns[q.column], row);
        case Encoding::map:
            return map_outcome(*this, q, columns[q.column], row);
        case Encoding::plane:
        case Encoding::ball:
            return bound_outcome(*this, q, columns, row);
        case Encoding::combined:
            return combined_outcome(*this, q, columns, row);
    }
    return UNDEFINED;
}

std::int32_t QuestionTable::outcome_of(const EncodedQuestion& q, const WalkColumn& column, std::int64_t row) const {
    return q.encoding == Encoding::cuts ? cuts_outcome(*this, q, column, row) : map_outcome(*this, q, column, row);
}

}  // namespace hornbeam
