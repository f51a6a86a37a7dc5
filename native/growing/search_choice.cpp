// The choice among the questions about the columns of a node: the first best by score; C4.5 compares the ratios of
// those that gain enough.
#include <limits>

#include "core/question_kinds.hpp"
#include "growing/search.hpp"

namespace hornbeam {
namespace {

constexpr double SLACK = 1e-3, TIE = 1e-10;  // C4.5's

bool gains_enough(const Candidate& c) { return c.found() && c.score > (c.is_free ? -SLACK : TIE); }

// Questions about categories count for the average even where one of gain 0 may not be asked.
bool counts_for_average(const Candidate& c) {
    return gains_enough(c) || (c.type == Candidate::Type::map && c.score > -SLACK);
}

}  // namespace

int ColumnSearch::choose(const std::vector<Candidate>& candidates, const Totals&, double impurity) const {
    if (plan_.c45) return choose_c45(candidates);
    const double bar = tolerance(impurity);
    double best = -std::numeric_limits<double>::infinity();
    int chosen = -1;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].found() && paid(candidates[i].score, candidates[i]) - best > bar)
            best = paid(candidates[i].score, candidates[i]), chosen = static_cast<int>(i);
    return chosen;
}

// 4.2.4: the average gain of the columns that gain; categories with very many levels do not count.
double ColumnSearch::average_gain(const std::vector<Candidate>& candidates) const {
    const double many = 0.3 * root_weight_ * plan_.target.weight_unit;
    const auto is_wide = [&](std::int32_t c) {
        return columns_[c].kind != Kind::numeric && columns_[c].n_codes >= many;
    };
    bool all_wide = true;
    for (std::size_t c = 0; c < columns_.size(); ++c) all_wide = all_wide && is_wide(static_cast<std::int32_t>(c));
    double sum = 0;
    int n = 0;
    for (const Candidate& c : candidates)
        if (counts_for_average(c) && (all_wide || !is_wide(c.column))) sum += c.score, ++n;
    return n > 0 ? sum / n : std::numeric_limits<double>::infinity();
}

// What C4.5 compares columns by: the gain ratio of those of at least average gain, or the gain; NaN bars one.
double ColumnSearch::c45_value(const Candidate& c, double average) const {
    constexpr double BARRED = std::numeric_limits<double>::quiet_NaN();
    if (!gains_enough(c)) return BARRED;
    if (plan_.c45_by_gain) return c.score;
    return c.score < average - SLACK || c.information <= SLACK ? BARRED : c.score / c.information;
}

int ColumnSearch::choose_c45(const std::vector<Candidate>& candidates) const {
    const double average = average_gain(candidates);
    int chosen = -1;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const double value = c45_value(c, average);
        if (!(value > (c.is_free ? -TIE : TIE))) continue;
        const double shown = paid(value, c);
        if (shown - best > TIE) best = shown, chosen = static_cast<int>(i);
    }
    return chosen;
}

// The score of a question divided by the cost of its column (of many, the largest) and by the penalty of its kind.
double ColumnSearch::paid(double score, const Candidate& c) const {
    if (!c.many && !plan_.column_cost.empty()) score /= plan_.column_cost[c.column];
    if (c.many && !plan_.column_cost.empty()) {
        double dearest = 0;
        for (const std::int32_t column : c.many->terms) dearest = std::max(dearest, plan_.column_cost[column]);
        score /= dearest;
    }
    if (plan_.price.empty()) return score;
    int kind = c.type == Candidate::Type::cut ? (c.cuts ? INTERVALS : THRESHOLD) : IS_MISSING;
    if (c.type == Candidate::Type::map) kind = plan_.asks_each() ? EACH_VALUE : SUBSET;
    if (c.many) kind = static_cast<int>(c.many->number());
    return score / (1.0 + plan_.price[kind]);
}

// The values by which candidates are compared; minus infinity excludes one.
std::vector<double> ColumnSearch::compared(const std::vector<Candidate>& candidates, double impurity) const {
    constexpr double BARRED = -std::numeric_limits<double>::infinity(), TIE = 1e-10;
    std::vector<double> out(candidates.size(), BARRED);
    const double average = plan_.c45 ? average_gain(candidates) : 0.0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        if (!c.found()) continue;
        if (!plan_.c45) {
            if (c.score > tolerance(impurity)) out[i] = paid(c.score, c);
        } else if (const double value = c45_value(c, average); value > TIE) {
            out[i] = paid(value, c);
        }
    }
    return out;
}

}  // namespace hornbeam
