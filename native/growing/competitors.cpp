// The competitors of a node: the questions with the next best scores.
#include <limits>

#include "growing/choice.hpp"
#include "growing/found_candidates.hpp"

namespace hornbeam {

void keep_competitors(Open& node, std::vector<Candidate>& found, int chosen, const Job& job,
                      const std::function<void(Candidate&)>& complete_one) {
    found[chosen].many = node.best.many;  // it was moved, and `compared` reads the columns of all candidates
    std::vector<double> value = compared(job.scoring, found, node.impurity);
    const double bar = job.scoring.tolerance(node.impurity);
    constexpr double NONE = -std::numeric_limits<double>::infinity();
    value[chosen] = NONE;
    for (std::int64_t kept = 0; kept < job.plan.competitors; ++kept) {
        double best = NONE;
        int next = -1;
        for (std::size_t i = 0; i < value.size(); ++i)
            if (value[i] > NONE && (next < 0 || value[i] - best > bar)) best = value[i], next = static_cast<int>(i);
        if (next < 0) return;
        value[next] = NONE;
        Candidate candidate = std::move(found[next]);
        complete_one(candidate);
        KeptQuestion question;
        question.column = candidate.column;
        question.tests_missing = candidate.type == Candidate::Type::missing;
        question.is_multiway = candidate.is_multiway;
        question.first = candidate.gain;
        question.many = candidate.many;
        question.second = candidate.score;
        if (candidate.type == Candidate::Type::map) question.branch_of = std::move(candidate.groups->branch_of);
        if (candidate.cuts)
            question.cuts = *candidate.cuts;
        else if (candidate.type == Candidate::Type::cut)
            question.cut = threshold_of(candidate, job);
        node.competitors.push_back(std::move(question));
    }
}

}  // namespace hornbeam
