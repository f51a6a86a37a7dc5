#include "growing/choice.hpp"

#include <limits>

#include "core/question_kinds.hpp"

namespace hornbeam {
namespace {

constexpr double SLACK = 1e-3, TIE = 1e-10;  // of C4.5

bool gains_enough(const Candidate& c) { return c.found() && c.score > (c.is_free ? -SLACK : TIE); }

// The column of a question, or the first of several.
std::int32_t column_of(const Candidate& c) { return c.many ? c.many->terms[0] : c.column; }

// Whether a question counts for the average gain: those about levels do even if gain 0 is inadmissible.
bool counts_for_average(const Scoring& s, const Candidate& c) {
    if (gains_enough(c)) return true;
    const bool tests_missing =
        c.type == Candidate::Type::missing || (c.many && c.many->given && c.many->given->tests_missing);
    return c.found() && !tests_missing && c.score > -SLACK && s.columns[column_of(c)].kind == Kind::nominal;
}

// The score divided by the cost of the column (of several, the largest) and by 1 + the penalty of the kind.
double penalized(const Scoring& s, double score, const Candidate& c) {
    if (c.many && c.many->given) return score / c.many->given->cost;
    if (!c.many && !s.plan.column_cost.empty()) score /= s.plan.column_cost[c.column];
    if (c.many && !s.plan.column_cost.empty()) {
        double largest_cost = 0;
        for (const std::int32_t column : c.many->terms)
            largest_cost = std::max(largest_cost, s.plan.column_cost[column]);
        score /= largest_cost;
    }
    if (s.plan.split_penalty.empty()) return score;
    int kind = c.type == Candidate::Type::cut ? (c.n_cuts() > 1 ? INTERVALS : THRESHOLD) : IS_MISSING;
    if (c.type == Candidate::Type::map) kind = c.is_multiway ? EACH_VALUE : SUBSET;
    if (c.many) kind = static_cast<int>(c.many->number());
    return score / (1.0 + s.plan.split_penalty[kind]);
}

// The average of the positive gains, without columns of very many levels (4.2.4).
double average_gain(const Scoring& s, const std::vector<Candidate>& candidates) {
    const double many = 0.3 * s.root_weight * s.plan.target.weight_unit;
    const auto is_wide = [&](std::int32_t c) {
        const ReadyColumn& ready = s.columns[c];
        const double n_levels = ready.is_binned() ? s.plan.columns[c].n_levels : ready.n_codes;
        return ready.kind != Kind::numeric && n_levels >= many;
    };
    bool all_wide = true;
    for (std::size_t c = 0; c < s.columns.size(); ++c) all_wide = all_wide && is_wide(static_cast<std::int32_t>(c));
    double sum = 0;
    int n = 0;
    for (const Candidate& c : candidates)
        if (counts_for_average(s, c) && (all_wide || !is_wide(column_of(c)))) sum += c.score, ++n;
    return n > 0 ? sum / n : std::numeric_limits<double>::infinity();
}

// The value that C4.5 compares: the gain ratio of questions of at least average gain, or the gain; NaN excludes one.
double value_by_gain(const Scoring& s, const Candidate& c, double average) {
    constexpr double EXCLUDED = std::numeric_limits<double>::quiet_NaN();
    if (!gains_enough(c)) return EXCLUDED;
    if (s.choice == Choice::gain) return c.score;
    return c.score < average - SLACK || c.information <= SLACK ? EXCLUDED : c.score / c.information;
}

int choose_by_gain(const Scoring& s, const std::vector<Candidate>& candidates) {
    const double average = average_gain(s, candidates);
    int chosen = -1;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const double value = value_by_gain(s, c, average);
        if (!(value > (c.is_free ? -TIE : TIE))) continue;
        const double penalized_value = penalized(s, value, c);
        if (penalized_value - best > TIE) best = penalized_value, chosen = static_cast<int>(i);
    }
    return chosen;
}

}  // namespace

int best_candidate(const Scoring& s, const std::vector<Candidate>& candidates, double impurity) {
    if (s.choice != Choice::first_best) return choose_by_gain(s, candidates);
    const double bar = s.tolerance(impurity);
    double best = -std::numeric_limits<double>::infinity();
    int chosen = -1;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const bool may_be_zero = c.is_free || s.plan.criterion.zero_gain;
        if (!c.found() || !(c.score > (may_be_zero ? -bar : bar))) continue;
        if (const double value = penalized(s, c.score, c); value - best > bar)
            best = value, chosen = static_cast<int>(i);
    }
    return chosen;
}

std::vector<double> compared(const Scoring& s, const std::vector<Candidate>& candidates, double impurity) {
    constexpr double EXCLUDED = -std::numeric_limits<double>::infinity(), TIE = 1e-10;
    std::vector<double> out(candidates.size(), EXCLUDED);
    const bool is_by_score = s.choice == Choice::first_best;
    const double average = is_by_score ? 0.0 : average_gain(s, candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        if (!c.found()) continue;
        if (is_by_score) {
            if (c.score > s.tolerance(impurity)) out[i] = penalized(s, c.score, c);
        } else if (const double value = value_by_gain(s, c, average); value > TIE) {
            out[i] = penalized(s, value, c);
        }
    }
    return out;
}

}  // namespace hornbeam
