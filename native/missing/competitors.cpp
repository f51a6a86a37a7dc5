// Which questions came next?  The same rule chooses again among the columns that are left.
#include <limits>

#include "growing/worker.hpp"

namespace hornbeam {

// What the candidates are compared by; minus infinity bars one.
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

void Worker::keep_competitors(Open& node, std::vector<Candidate>& found, int chosen, double impurity) {
    found[chosen].many = node.best.many;  // it was moved away, and `compared` reads the columns of every candidate
    std::vector<double> value = job_.search.compared(found, impurity);
    const double bar = job_.search.tolerance(impurity);
    constexpr double NONE = -std::numeric_limits<double>::infinity();
    value[chosen] = NONE;
    for (std::int64_t kept = 0; kept < job_.plan.competitors; ++kept) {
        double best = NONE;
        int next = -1;
        for (std::size_t i = 0; i < value.size(); ++i)
            if (value[i] > NONE && (next < 0 || value[i] - best > bar)) best = value[i], next = static_cast<int>(i);
        if (next < 0) return;
        value[next] = NONE;
        Candidate candidate = std::move(found[next]);
        if (!candidate.many) job_.search.complete(*node.block, node.begin, node.end, node.totals, candidate);
        KeptQuestion question;
        question.column = candidate.column;
        question.asks_missing = candidate.type == Candidate::Type::missing;
        question.first = candidate.gain;
        question.many = candidate.many;
        question.second = candidate.score;
        if (candidate.type == Candidate::Type::map) question.branch_of = std::move(candidate.groups->branch_of);
        if (candidate.cuts)
            question.cuts = candidate.cuts->at;
        else if (candidate.type == Candidate::Type::cut)
            question.cut = threshold(candidate);
        node.competitors.push_back(std::move(question));
    }
}

}  // namespace hornbeam
