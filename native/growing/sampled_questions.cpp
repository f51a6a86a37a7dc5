#include "growing/sampled_questions.hpp"

#include <algorithm>

#include "core/column_sampler.hpp"
#include "growing/random_question.hpp"
#include "growing/search.hpp"
#include "missing/missing_counts.hpp"

namespace hornbeam {
namespace {

// The indices in `active` of the columns that compete and vary, ascending. If columns are sampled, only those are read.
std::vector<std::int32_t> candidate_indices(const Open& node, const std::vector<std::int32_t>& active, Work& work,
                                            std::vector<QuestionRange>& ranges, std::vector<Candidate>& found) {
    const Plan& plan = work.job.plan;
    const auto read_range = [&](std::size_t i, Scratch& scratch) {
        ranges[i] = question_range(work.job.scoring, node.view(), active[i], scratch);
        if (!ranges[i].competes()) found[i].type = Candidate::Type::constant;
    };
    std::vector<std::int32_t> kept;
    if (plan.max_features <= 0) {
        work.each_column(active.size(), read_range);
        for (std::size_t i = 0; i < active.size(); ++i)
            if (ranges[i].competes()) kept.push_back(static_cast<std::int32_t>(i));
        return kept;
    }
    const auto n_columns = static_cast<std::int64_t>(plan.columns.size());
    const std::uint64_t node_key = key(plan.seed, Purpose::features, plan.tree, node.id);
    std::vector<std::int32_t> at(plan.columns.size(), -1);
    for (std::size_t i = 0; i < active.size(); ++i) at[active[i]] = static_cast<std::int32_t>(i);
    sample_columns(n_columns, plan.max_features, node_key, [&](std::int32_t column) {
        const std::int32_t index = at[column];
        if (index < 0) return false;
        read_range(index, work.scratch);
        if (ranges[index].competes()) kept.push_back(index);
        return ranges[index].competes();
    });
    std::sort(kept.begin(), kept.end());
    return kept;
}

void search_one(const Open& node, const std::vector<std::int32_t>& active, Work& work, std::vector<Candidate>& found) {
    const Plan& plan = work.job.plan;
    const Scoring& scoring = work.job.scoring;
    std::vector<QuestionRange> ranges(active.size());
    const std::vector<std::int32_t> kept = candidate_indices(node, active, work, ranges, found);
    Stream stream(key(plan.seed, Purpose::thresholds, plan.tree, node.id));
    std::vector<RandomQuestion> questions(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (ranges[kept[i]].varies) questions[i] = sample_question(scoring, ranges[kept[i]], active[kept[i]], stream);
    work.each_column(kept.size(), [&](std::int64_t i, Scratch& scratch) {
        const std::int32_t column = active[kept[i]];
        Candidate& best = found[kept[i]];
        best = score_question(scoring, node.view(), column, ranges[kept[i]].varies ? &questions[i] : nullptr, scratch);
        if (scoring.columns[column].kind == Kind::nominal ? plan.searches_levels_twice() : plan.cuts.intervals > 0)
            best.add(std::make_shared<Candidate>(best_by_value(scoring, node.view(), column, {}, scratch)));
        if (!plan.tests_missing_last()) consider_missing(scoring, node.totals, node.impurity, scratch.missing, best);
    });
}

// The sampled pairs of a node, numbered over all columns: the indices of cuts per column.
std::vector<std::vector<std::int64_t>> sampled_pairs(const Plan& plan, const Open& node,
                                                     const std::vector<std::int64_t>& counts) {
    Stream stream(key(plan.seed, Purpose::thresholds, plan.tree, node.id));
    std::int64_t total = 0;
    for (const std::int64_t count : counts) total += count;
    const std::vector<std::int64_t> indices = stream.choose(total, std::min<std::int64_t>(plan.cuts.pairs, total));
    std::vector<std::vector<std::int64_t>> out(counts.size());
    std::int64_t start = 0;
    auto next = indices.begin();
    for (std::size_t i = 0; i < counts.size(); start += counts[i++])
        for (; next != indices.end() && *next < start + counts[i]; ++next) out[i].push_back(*next - start);
    return out;
}

}  // namespace

void search_random_questions(Family& family, Work& work) {
    for (std::size_t s = 0; s < family.searched.size(); ++s)
        search_one(*family.searched[s], family.active, work, family.found[s]);
}

void search_random_pairs(Family& family, Work& work) {
    const std::vector<std::int32_t>& active = family.active;
    const std::size_t n_nodes = family.searched.size();
    std::vector<std::vector<std::int64_t>> counts(n_nodes, std::vector<std::int64_t>(active.size()));
    work.each_column(active.size(), [&](std::int64_t i, Scratch& scratch) {
        partition_column(family, i, work, scratch);
        for (std::size_t s = 0; s < n_nodes; ++s) {
            const Open& node = *family.searched[s];
            counts[s][i] = count_cuts(work.job.scoring, node.view(), active[i], family.span(node, i), scratch);
        }
    });
    std::vector<std::vector<std::vector<std::int64_t>>> sampled(n_nodes);
    for (std::size_t s = 0; s < n_nodes; ++s) sampled[s] = sampled_pairs(work.job.plan, *family.searched[s], counts[s]);
    work.each_column(active.size(), [&](std::int64_t i, Scratch& scratch) {
        for (std::size_t s = 0; s < n_nodes; ++s) {
            const Open& node = *family.searched[s];
            scratch.sampled = &sampled[s][i];
            family.found[s][i] = best_question(work.job.scoring, node.view(), active[i], family.span(node, i), scratch);
            scratch.sampled = nullptr;
        }
    });
}

}  // namespace hornbeam
