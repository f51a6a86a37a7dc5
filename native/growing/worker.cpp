#include "growing/worker.hpp"

#include <algorithm>
#include <cmath>

#include "core/midpoint.hpp"
#include "core/random.hpp"
#include "core/weight_limits.hpp"

namespace hornbeam {

void Worker::plant(Open&& root, std::vector<Open>& queue) {
    fragment_.records.emplace_back();
    std::vector<std::int32_t> active(job_.plan.columns.size());
    for (std::size_t c = 0; c < active.size(); ++c) active[c] = static_cast<std::int32_t>(c);
    root.totals = job_.search.totals(*root.block, root.block->order.data(), root.rows());
    std::vector<Open> one;
    one.push_back(std::move(root));
    settle(one, active, nullptr, nullptr, queue);
}

void Worker::expand(Open& open, std::vector<Open>& queue) {
    auto own = job_.plan.bins > 0 ? nullptr : own_block(*open.block, open.begin, open.end, open.active, open.spans);
    if (own) {
        open.block = std::move(own);
        open.end -= open.begin;
        open.begin = 0;
    }
    if (job_.plan.shares && has_unknown(open)) return expand_shared(open, queue);
    const Parting parting = part_rows(open);
    const std::int32_t n_branches = open.best.n_branches;
    const auto first = static_cast<std::int32_t>(fragment_.records.size());
    write_split(open, parting, first);
    fragment_.records.resize(fragment_.records.size() + n_branches);
    std::vector<Open> children(n_branches);
    for (std::int32_t b = 0; b < n_branches; ++b) {
        Open& child = children[b];
        child.block = open.block;
        child.record = first + b;
        child.begin = open.begin + parting.starts[b];
        child.end = open.begin + parting.starts[b + 1];
        child.depth = open.depth + 1;
        child.id = child_id(open.id, static_cast<std::uint64_t>(b));
        child.totals = job_.search.totals(*open.block, open.block->order.data() + child.begin, child.rows());
        child.totals.id = child.id;
    }
    const bool is_done = finish_column(open);
    for (Open& child : children) child.n_asked = open.n_asked + is_done;
    settle(children, open.active, &open, &parting, queue);
}

// A category asked about by every value is not asked about again below, where that is the rule.
bool Worker::finish_column(Open& open) const {
    if (!job_.plan.once_per_path || open.best.type != Candidate::Type::map) return false;
    if (job_.plan.nominal == NominalSearch::c45_groups && job_.columns[open.best.column].n_codes > 2) return false;
    const auto place = std::find(open.active.begin(), open.active.end(), open.best.column) - open.active.begin();
    open.active.erase(open.active.begin() + place);
    if (!open.spans.empty()) open.spans.erase(open.spans.begin() + place);
    return true;
}

void Worker::close(const Open& open, Reason reason) { fragment_.records[open.record].reason = reason; }

void Worker::write_node(const Open& open) {
    Record& record = fragment_.records[open.record];
    record.stats_at = static_cast<std::int32_t>(fragment_.counts.size());
    fragment_.counts.insert(fragment_.counts.end(), open.totals.counts.begin(), open.totals.counts.end());
    record.depth = open.depth;
    record.rows = open.totals.rows;
    record.weight = open.totals.weight;
    record.mean = open.totals.mean;
    record.spread = open.totals.spread;
    record.impurity = open.impurity;
    record.answer = open.totals.answer;
}

void Worker::write_split(const Open& open, const Parting& parting, std::int32_t first) {
    const Candidate& best = open.best;
    Record& record = fragment_.records[open.record];
    record.first_child = first;
    record.n_branches = best.n_branches;
    record.column = best.column;
    record.gain = best.gain;
    record.score = best.score;
    record.missing_branch = parting.missing_branch;
    record.kept_at = static_cast<std::int32_t>(fragment_.kept.size());
    record.n_surrogates = static_cast<std::int32_t>(open.surrogates.size());
    record.n_competitors = static_cast<std::int32_t>(open.competitors.size());
    for (const auto* kept : {&open.surrogates, &open.competitors})
        fragment_.kept.insert(fragment_.kept.end(), kept->begin(), kept->end());
    record.asks_missing = best.type == Candidate::Type::missing;
    if (record.asks_missing) return;
    if (best.many) {
        record.many_at = static_cast<std::int32_t>(fragment_.many.size());
        fragment_.many.push_back(best.many);
    } else if (best.type == Candidate::Type::map) {
        record.whole_at = static_cast<std::int32_t>(fragment_.maps.size());
        const std::vector<std::int32_t>& map = best.groups->branch_of;
        fragment_.maps.insert(fragment_.maps.end(), map.begin(), map.end());
    } else if (best.cuts) {
        record.cuts_at = static_cast<std::int32_t>(fragment_.cuts.size());
        record.n_cuts = static_cast<std::int32_t>(best.cuts->at.size());
        fragment_.cuts.insert(fragment_.cuts.end(), best.cuts->at.begin(), best.cuts->at.end());
    } else {
        record.cut = threshold(best);
    }
}

double Worker::threshold(const Candidate& best) const {
    const ReadyColumn& column = job_.columns[best.column];
    const double middle = midpoint(best.low, best.high);
    if (!job_.plan.cut_at_data) return middle;
    const double below = *(std::upper_bound(column.values.begin(), column.values.end(), middle) - 1);
    return std::isfinite(below) ? below : middle;
}

Reason Worker::early_reason(const Open& open) const {
    const Plan& plan = job_.plan;
    const Totals& totals = open.totals;
    if (totals.rows == 0) return Reason::empty;
    if (!plan.splits_pure && job_.search.is_pure(totals)) return Reason::pure;
    if (plan.same_vectors && all_alike(open)) return Reason::same_vectors;
    if (totals.rows <= plan.eta) return Reason::eta;
    if (plan.purity <= 1 && job_.search.largest_share(totals) >= plan.purity - 1e-12) return Reason::purity;
    if (totals.rows < plan.min_split) return Reason::rows_to_split;
    const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
    if (!reaches(weight, plan.min_split_weight)) return Reason::rows_to_split;
    if (plan.max_depth >= 0 && open.depth >= plan.max_depth) return Reason::depth;
    if (totals.rows < 2 * plan.min_leaf || !reaches(weight, 2 * plan.min_leaf_weight)) return Reason::rows_in_leaf;
    return Reason::none;
}

// Whether all rows of a node have the same values; the first difference ends the look.
bool Worker::all_alike(const Open& open) const {
    const AnyBlock& block = *open.block;
    const auto row = [&](std::int32_t i) { return block.row_of[block.order[i]]; };
    for (const SourceColumn& column : job_.plan.columns)
        for (std::int32_t i = open.begin + 1; i < open.end; ++i) {
            const std::uint32_t a = row(open.begin), b = row(i);
            if (column.codes ? std::max(column.codes[a], -1) != std::max(column.codes[b], -1)
                             : !(column.reals[a] == column.reals[b] ||
                                 (std::isnan(column.reals[a]) && std::isnan(column.reals[b]))))
                return false;
        }
    return true;
}

Reason Worker::late_reason(const Open& open) const {
    const Plan& plan = job_.plan;
    if (plan.min_gain >= 0 && open.best.gain <= plan.min_gain * (1 + 1e-12)) return Reason::min_gain;
    if (plan.min_decrease > 0) {
        const double share = job_.search.mass(open.totals) / job_.search.root_mass();
        // One part in 10^12 for rounding: a split whose decrease equals the bound is made.
        if (share * open.best.gain < plan.min_decrease * (1 - 1e-12)) return Reason::min_decrease;
    }
    return Reason::none;
}

// Children (or the root) become leaves, or are searched column by column: each column's list is partitioned once and,
// while it is in the cache, searched for every child.
void Worker::settle(std::vector<Open>& nodes, const std::vector<std::int32_t>& active, const Open* parent,
                    const Parting* parting, std::vector<Open>& queue) {
    std::vector<Open*> searched;
    for (Open& node : nodes) {
        if (job_.plan.asks_quantile()) job_.search.order_targets(*node.block, node.begin, node.end, node.totals);
        node.impurity = job_.search.impurity(node.totals);
        write_node(node);
        Reason reason = early_reason(node);
        if (reason == Reason::none && active.empty())
            reason = node.n_asked == job_.plan.columns.size() ? Reason::no_attributes : Reason::no_improvement;
        if (reason == Reason::none)
            searched.push_back(&node);
        else
            close(node, reason);
    }
    if (job_.plan.random_cuts) {
        for (Open* node : searched) settle_at_random(*node, active, queue);
        return;
    }
    if (searched.empty()) return;
    if (found_.size() < searched.size()) found_.resize(searched.size());
    for (std::size_t s = 0; s < searched.size(); ++s) {
        found_[s].clear();
        found_[s].resize(active.size());
    }
    std::vector<std::vector<Span>> spans(nodes.size(), std::vector<Span>(job_.has_sparse ? active.size() : 0));
    search_columns(nodes, searched, active, parent, parting, found_, spans);
    for (std::size_t s = 0; s < searched.size(); ++s)
        draw_columns(*searched[s], found_[s], active, spans[searched[s] - nodes.data()]);
    if (job_.plan.intervals_and_cuts)
        for (std::size_t s = 0; s < searched.size(); ++s) join_seconds(found_[s]);
    if (!job_.plan.many.empty())
        each_column(static_cast<std::int64_t>(searched.size()),
                    [&](std::int64_t s, Scratch& scratch) { search_many(*searched[s], found_[s], scratch); });
    for (std::size_t s = 0; s < searched.size(); ++s) decide(*searched[s], found_[s], queue);
}

void Worker::decide(Open& node, std::vector<Candidate>& found, std::vector<Open>& queue) {
    int chosen = job_.search.choose(found, node.totals, node.impurity);
    const Lookahead when = job_.plan.lookahead;
    if (when == Lookahead::always || (when == Lookahead::stuck && chosen < 0)) {
        look_ahead(node, found);
        chosen = job_.search.choose(found, node.totals, node.impurity);
    }
    if (chosen < 0) return close(node, Reason::no_improvement);
    node.best = std::move(found[chosen]);  // its numbers stay behind for the competitors' sake
    if (!node.best.many) job_.search.complete(*node.block, node.begin, node.end, node.totals, node.best);
    if (node.best.gain <= job_.search.tolerance(node.impurity)) node.best.gain = 0.0;
    if (job_.plan.fill != FillBy::nothing && !node.best.many) send_filled(node);
    if (const Reason reason = late_reason(node); reason != Reason::none) return close(node, reason);
    if (job_.plan.competitors > 0) keep_competitors(node, found, chosen, node.impurity);
    node.totals.order.reset();
    queue.push_back(std::move(node));
}

}  // namespace hornbeam
