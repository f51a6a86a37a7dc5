// The outcomes of the questions of questions.hpp.
#include <algorithm>
#include <cmath>

#include "walking/questions.hpp"

namespace hornbeam {
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

std::int32_t plane_outcome(const QuestionTable& table, const EncodedQuestion& q, const WalkColumn* columns,
                           std::int64_t row) {
    double total = 0.0;
    const double* weights = table.reals_of(q);
    const double* fill = q.n_reals > q.n_whole + 1 ? weights + q.n_whole + 1 : nullptr;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[table.whole_of(q)[i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        total += weights[i] * value;
    }
    if (std::isnan(total)) return UNDEFINED;
    return total <= weights[q.n_whole] ? 0 : 1;
}

std::int32_t ball_outcome(const QuestionTable& table, const EncodedQuestion& q, const WalkColumn* columns,
                          std::int64_t row) {
    double total = 0.0;
    const double* center = table.reals_of(q);
    const double* scale = center + q.n_whole;
    const double* fill = q.n_reals > 2 * q.n_whole + 1 ? scale + q.n_whole + 1 : nullptr;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[table.whole_of(q)[i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        const double step = (value - center[i]) / scale[i];
        total += step * step;
    }
    if (std::isnan(total)) return UNDEFINED;
    return total <= scale[q.n_whole] ? 0 : 1;
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
            return plane_outcome(*this, q, columns, row);
        case Encoding::ball:
            return ball_outcome(*this, q, columns, row);
        case Encoding::combined:
            return combined_outcome(*this, q, columns, row);
    }
    return UNDEFINED;
}

std::int32_t QuestionTable::outcome_of(const EncodedQuestion& q, const WalkColumn& column, std::int64_t row) const {
    return q.encoding == Encoding::cuts ? cuts_outcome(*this, q, column, row) : map_outcome(*this, q, column, row);
}

}  // namespace hornbeam
