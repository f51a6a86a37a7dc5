#include "growing/choice.hpp"

#include <limits>

#include "core/question_kinds.hpp"

namespace hornbeam {
namespace {

constexpr double SLACK = 1e-3, TIE = 1e-10;  // of C4.5

bool gains_enough(const Candidate& c) { return c.found() && c.score > (c.is_free ? -SLACK : TIE); }

// The column of a question, the first of many.
std::int32_t column_of(const Candidate& c) { return c.many ? c.many->terms[0] : c.column; }

// Questions about categories count for the average even where one of gain 0 may not be asked.
bool counts_for_average(const Scoring& s, const Candidate& c) {
    if (gains_enough(c)) return true;
    const bool asks_missing =
        c.type == Candidate::Type::missing || (c.many && c.many->given && c.many->given->tests_missing);
    return c.found() && !asks_missing && c.score > -SLACK && s.columns[column_of(c)].kind == Kind::nominal;
}

// The score of a question divided by the cost of its column (of many, the largest) and by the penalty of its kind.
double paid(const Scoring& s, double score, const Candidate& c) {
    if (c.many && c.many->given) return score / c.many->given->cost;
    if (!c.many && !s.plan.column_cost.empty()) score /= s.plan.column_cost[c.column];
    if (c.many && !s.plan.column_cost.empty()) {
        double dearest = 0;
        for (const std::int32_t column : c.many->terms) dearest = std::max(dearest, s.plan.column_cost[column]);
        score /= dearest;
    }
    if (s.plan.price.empty()) return score;
    int kind = c.type == Candidate::Type::cut ? (c.n_cuts() > 1 ? INTERVALS : THRESHOLD) : IS_MISSING;
    if (c.type == Candidate::Type::map) kind = c.asks_each ? EACH_VALUE : SUBSET;
    if (c.many) kind = static_cast<int>(c.many->number());
    return score / (1.0 + s.plan.price[kind]);
}

// 4.2.4: the average gain of the columns that gain; categories with very many levels do not count.
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

// What C4.5 compares columns by: the gain ratio of those of at least average gain, or the gain; NaN bars one.
double value_by_gain(const Scoring& s, const Candidate& c, double average) {
    constexpr double BARRED = std::numeric_limits<double>::quiet_NaN();
    if (!gains_enough(c)) return BARRED;
    if (s.choice == Choice::gain) return c.score;
    return c.score < average - SLACK || c.information <= SLACK ? BARRED : c.score / c.information;
}

int choose_by_gain(const Scoring& s, const std::vector<Candidate>& candidates) {
    const double average = average_gain(s, candidates);
    int chosen = -1;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const double value = value_by_gain(s, c, average);
        if (!(value > (c.is_free ? -TIE : TIE))) continue;
        const double shown = paid(s, value, c);
        if (shown - best > TIE) best = shown, chosen = static_cast<int>(i);
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
        if (const double value = paid(s, c.score, c); value - best > bar) best = value, chosen = static_cast<int>(i);
    }
    return chosen;
}

// The values by which candidates are compared; minus infinity excludes one.
std::vector<double> compared(const Scoring& s, const std::vector<Candidate>& candidates, double impurity) {
    constexpr double BARRED = -std::numeric_limits<double>::infinity(), TIE = 1e-10;
    std::vector<double> out(candidates.size(), BARRED);
    const bool is_by_score = s.choice == Choice::first_best;
    const double average = is_by_score ? 0.0 : average_gain(s, candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        if (!c.found()) continue;
        if (is_by_score) {
            if (c.score > s.tolerance(impurity)) out[i] = paid(s, c.score, c);
        } else if (const double value = value_by_gain(s, c, average); value > TIE) {
            out[i] = paid(s, value, c);
        }
    }
    return out;
}

}  // namespace hornbeam
