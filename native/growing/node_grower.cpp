#include "growing/node_grower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "growing/branches.hpp"
#include "growing/choice.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_records.hpp"
#include "growing/search.hpp"
#include "growing/side_search.hpp"
#include "missing/fractional_rows.hpp"
#include "missing/impute.hpp"

namespace hornbeam {
namespace {

// Whether all rows of a node have the same values.
bool has_equal_rows(const Open& open, const Plan& plan) {
    const AnyBlock& block = *open.block;
    const auto row = [&](std::int32_t i) { return block.row_of[block.order[i]]; };
    for (const SourceColumn& column : plan.columns)
        for (std::int32_t i = open.begin + 1; i < open.end; ++i) {
            const double a = column.number(row(open.begin)), b = column.number(row(i));
            if (a != b && !(std::isnan(a) && std::isnan(b))) return false;
        }
    return true;
}

// Removes the column of the node from those that are searched below.
void remove_column(Open& open) {
    const auto index = std::find(open.active.begin(), open.active.end(), open.best.column) - open.active.begin();
    open.active.erase(open.active.begin() + index);
    if (!open.spans.empty()) open.spans.erase(open.spans.begin() + index);
}

// Sets the branch of missing values to that of the imputed values.
void direct_imputed(Open& node, const Job& job) {
    Candidate& best = node.best;
    const auto value_of = [&](std::int32_t column) { return imputed_value(job.scoring, node.slice(), column); };
    if (best.many || best.type == Candidate::Type::missing) {
        best.missing_branch = best.many ? best.many->branch(value_of) : 1;
        return;
    }
    const double value = value_of(best.column);
    if (best.cuts)
        best.missing_branch = static_cast<std::int32_t>(std::lower_bound(best.cuts->begin(), best.cuts->end(), value) -
                                                        best.cuts->begin());
    else if (best.type == Candidate::Type::map)
        best.missing_branch = best.groups->branch_of[static_cast<std::size_t>(value)];
    else
        best.missing_branch = value > threshold_of(best, job);
}

}  // namespace

void NodeGrower::add_root(Open&& root, std::vector<Open>& queue) {
    fragment_.records.emplace_back();
    std::vector<std::int32_t> active(work_.job.plan.columns.size());
    std::iota(active.begin(), active.end(), 0);
    set_totals(root);
    if (!work_.job.plan.given.first.empty()) root.first = 0;
    std::vector<Open> one;
    one.push_back(std::move(root));
    search({one, active, nullptr, nullptr, found_}, queue);
}

void NodeGrower::expand(Open& open, std::vector<Open>& queue) {
    const Job& job = work_.job;
    source_.prepare(open);
    if (job.plan.missing.is_fractional && has_missing(job, open)) return expand_fractional(open, queue);
    const RowPartition rows = source_.partition_rows(open, work_);
    std::vector<Open> children = children_of(open, rows);
    for (std::size_t b = 0; b < children.size(); ++b) {
        children[b].block = open.block;
        children[b].begin = open.begin + rows.starts[b];
        children[b].end = open.begin + rows.starts[b + 1];
        set_totals(children[b]);
    }
    search({children, open.active, &open, &rows, found_}, queue);
}

void NodeGrower::expand_fractional(Open& open, std::vector<Open>& queue) {
    const Plan& plan = work_.job.plan;
    RowPartition marks;
    mark_branches(open, marks, work_);
    std::vector<Open> children = children_of(open, marks);
    const auto rows = fractional_rows(plan, open.slice(), marks.known);
    for (std::size_t b = 0; b < children.size(); ++b) {
        std::vector<Open> one;
        one.push_back(std::move(children[b]));
        one[0].block = fractional_block(plan, open.slice(), rows[b], open.active);
        one[0].end = one[0].block->n_rows;
        set_totals(one[0]);
        search({one, open.active, nullptr, nullptr, found_}, queue);
    }
}

std::vector<Open> NodeGrower::children_of(Open& open, const RowPartition& rows) {
    const std::int32_t first = record_split(fragment_, open, rows.missing_branch, work_.job);
    const ColumnUse use = use_of_column(work_.job, open.best);
    if (use.is_done) remove_column(open);
    std::vector<Open> children = children_from(first, open, use);
    for (std::size_t b = 0; open.first >= 0 && b < children.size(); ++b)
        children[b].first = work_.job.plan.given.first[open.first].below[b];
    return children;
}

void NodeGrower::set_totals(Open& node) const {
    node.totals = sum_rows(work_.job.scoring, *node.block, node.block->order.data() + node.begin, node.rows());
    node.totals.id = node.id;
}

void NodeGrower::close(const Open& open, Reason reason) { fragment_.records[open.record].reason = reason; }

void NodeGrower::search(Family&& family, std::vector<Open>& queue) {
    const Job& job = work_.job;
    const std::size_t d = family.active.size();
    for (Open& node : family.nodes) {
        if (job.plan.criterion.uses_quantile()) order_targets(job.plan, job.scoring.targets, node.slice(), node.totals);
        record_node(fragment_, node, job.scoring);
        if (node.first >= 0 && !use_first_question(job, node, work_.scratch)) node.first = -1;
        const Reason reason =
            node.first >= 0 ? Reason::none : early_reason(job, node, d, [&] { return has_equal_rows(node, job.plan); });
        if (reason == Reason::none)
            family.searched.push_back(&node);
        else
            close(node, reason);
    }
    const std::size_t n = family.searched.size();
    if (n == 0) return;
    if (found_.size() < n) found_.resize(n);
    for (std::size_t s = 0; s < n; ++s) {
        found_[s].clear();
        found_[s].resize(d);
    }
    family.spans.assign(family.nodes.size(), std::vector<Span>(job.has_sparse ? d : 0));
    source_.search(family, work_);
    if (job.plan.missing.is_tested && job.plan.missing.mode == MissingMode::apart) search_missing(family, work_);
    for (std::size_t s = 0; s < n; ++s) {
        Open& node = *family.searched[s];
        keep_varying(node, found_[s], family.active, family.spans[&node - family.nodes.data()], job.plan);
        if (job.plan.lookahead == Lookahead::always) add_lookahead(node, found_[s], family.active, job, work_.scratch);
        add_seconds(found_[s]);
    }
    if (!job.plan.many.empty())
        work_.each_column(
            n, [&](std::int64_t s, Scratch& scratch) { search_many(*family.searched[s], found_[s], job, scratch); });
    for (std::size_t s = 0; s < n; ++s) choose(*family.searched[s], found_[s], queue);
}

void NodeGrower::choose(Open& node, std::vector<Candidate>& found, std::vector<Open>& queue) {
    const Job& job = work_.job;
    const Plan& plan = job.plan;
    if (node.first >= 0) {
        node.totals.order.reset();
        queue.push_back(std::move(node));
        return;
    }
    int chosen = best_candidate(job.scoring, found, node.impurity);
    if (plan.lookahead == Lookahead::stuck && chosen < 0) {
        search_lookahead(node, found, job, work_.scratch);
        chosen = best_candidate(job.scoring, found, node.impurity);
    }
    if (chosen < 0) return close(node, Reason::no_improvement);
    node.best = std::move(found[chosen]);  // its numbers remain for the competitors
    complete(job.scoring, node.view(), node.best);
    if (plan.missing.impute != ImputeBy::nothing) direct_imputed(node, job);
    if (const Reason reason = late_reason(job, node); reason != Reason::none) return close(node, reason);
    if (plan.competitors > 0)
        keep_competitors(node, found, chosen, job,
                         [&](Candidate& other) { complete(job.scoring, node.view(), other); });
    node.totals.order.reset();
    queue.push_back(std::move(node));
}

}  // namespace hornbeam
