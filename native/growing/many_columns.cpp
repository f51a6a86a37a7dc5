// Questions about many columns at a node: they are searched after every single column.
#include "growing/choice.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_scorer.hpp"

namespace hornbeam {

void search_many(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch) {
    std::vector<std::int32_t> columns;
    for (const Candidate& each : found)
        if (each.column >= 0 && each.type != Candidate::Type::constant)
            if (columns.empty() || columns.back() != each.column) columns.push_back(each.column);
    if (!job.plan.cuts.asked) columns = node.active;
    const int chosen = best_candidate(job.scoring, found, node.impurity);
    Candidate rival;
    if (chosen >= 0) {
        rival = found[chosen];
        complete(job.scoring, node.view(), rival);
    }
    NodeScorer scorer(job.plan, job.cells, job.scoring, node, scratch);
    const double cut = rival.type == Candidate::Type::cut ? threshold_of(rival, job) : 0.0;
    scorer.add_best(columns, chosen >= 0 ? &rival : nullptr, cut, found);
}

void look_ahead(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch) {
    NodeScorer(job.plan, job.cells, job.scoring, node, scratch).look_ahead(found);
}

}  // namespace hornbeam
