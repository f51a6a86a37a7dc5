#include "growing/worker.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "growing/partition.hpp"

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
    place_rows(*open.block, open.begin + parting.starts[n_branches], open.end, open.record);
    const bool is_done = finish_column(open);
    for (Open& child : children) child.n_asked = open.n_asked + is_done;
    settle(children, open.active, &open, &parting, queue);
}

// A category asked about by every value is not asked about again below, where that is the rule.
bool Worker::finish_column(Open& open) const {
    if (!job_.plan.once_per_path || open.best.type != Candidate::Type::map) return false;
    const auto place = std::find(open.active.begin(), open.active.end(), open.best.column) - open.active.begin();
    open.active.erase(open.active.begin() + place);
    if (!open.spans.empty()) open.spans.erase(open.spans.begin() + place);
    return true;
}

void Worker::close(const Open& open, Reason reason) {
    fragment_.records[open.record].reason = reason;
    place_rows(*open.block, open.begin, open.end, open.record);
}

void Worker::place_rows(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t record) const {
    if (job_.plan.shares) return;  // a row ends in many places
    for (std::int32_t i = begin; i < end; ++i) job_.place[block.row_of[block.order[i]]] = {fragment_at_, record};
}

void Worker::write_node(const Open& open) {
    Record& record = fragment_.records[open.record];
    record.stats_at = static_cast<std::int32_t>(fragment_.counts.size());
    fragment_.counts.insert(fragment_.counts.end(), open.totals.counts.begin(), open.totals.counts.end());
    record.depth = open.depth;
    record.rows = open.totals.rows;
    record.weight = open.totals.weight;
    record.sum = open.totals.sum;
    record.spread = open.totals.spread;
    record.impurity = open.impurity;
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
        fragment_.maps.insert(fragment_.maps.end(), best.branch_of.begin(), best.branch_of.end());
    } else {
        record.cut = threshold(best);
    }
}

double Worker::threshold(const Candidate& best) const {
    const ReadyColumn& column = job_.columns[best.column];
    double middle = best.low + (best.high - best.low) / 2;
    if (!std::isfinite(middle) || middle >= best.high) middle = best.low;
    if (!job_.plan.cut_at_data) return middle;
    return *(std::upper_bound(column.values.begin(), column.values.end(), middle) - 1);
}

Reason Worker::early_reason(const Open& open) const {
    const Plan& plan = job_.plan;
    const Totals& totals = open.totals;
    if (totals.rows == 0) return Reason::empty;
    if (!plan.splits_pure && job_.search.is_pure(totals)) return Reason::pure;
    if (plan.same_vectors && all_alike(open)) return Reason::same_vectors;
    if (totals.rows <= plan.eta) return Reason::eta;
    if (job_.search.largest_share(totals) >= plan.purity - 1e-12) return Reason::purity;
    if (totals.rows < plan.min_split) return Reason::rows_to_split;
    if (static_cast<double>(totals.weight) * plan.target.weight_unit < plan.min_split_weight * (1 - 1e-10))
        return Reason::rows_to_split;
    if (plan.max_depth >= 0 && open.depth >= plan.max_depth) return Reason::depth;
    const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
    if (totals.rows < 2 * plan.min_leaf || weight < 2 * plan.min_leaf_weight * (1 - 1e-10)) return Reason::rows_in_leaf;
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
    if (plan.min_gain >= 0 && open.best.gain <= plan.min_gain) return Reason::min_gain;
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
    std::vector<std::vector<Candidate>> found(searched.size(), std::vector<Candidate>(active.size()));
    std::vector<std::vector<Span>> spans(nodes.size(), std::vector<Span>(job_.has_sparse ? active.size() : 0));
    search_columns(nodes, searched, active, parent, parting, found, spans);
    for (std::size_t s = 0; s < searched.size(); ++s)
        draw_columns(*searched[s], found[s], active, spans[searched[s] - nodes.data()]);
    if (!job_.plan.many.empty())
        each_column(static_cast<std::int64_t>(searched.size()),
                    [&](std::int64_t s, Scratch& scratch) { search_many(*searched[s], found[s], scratch); });
    for (std::size_t s = 0; s < searched.size(); ++s) decide(*searched[s], found[s], queue);
}

void Worker::decide(Open& node, std::vector<Candidate>& found, std::vector<Open>& queue) {
    const int chosen = job_.search.choose(found, node.totals, node.impurity);
    if (chosen < 0) return close(node, Reason::no_improvement);
    const bool keeps = job_.plan.competitors > 0;
    node.best = keeps ? found[chosen] : std::move(found[chosen]);
    if (!node.best.many) job_.search.complete(*node.block, node.begin, node.end, node.totals, node.best);
    if (const Reason reason = late_reason(node); reason != Reason::none) return close(node, reason);
    if (keeps) keep_competitors(node, found, chosen, node.impurity);
    queue.push_back(std::move(node));
}

std::int32_t Worker::larger_branch(const Open& open, const std::vector<std::int64_t>& weight) const {
    if (open.best.missing_branch >= 0) return open.best.missing_branch;
    if (job_.plan.shares) return open.best.n_branches;
    if (job_.plan.surrogates >= 0) return open.best.n_branches;
    if (job_.plan.missing_stays) return open.best.n_branches;
    return static_cast<std::int32_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
}

Worker::Parting Worker::part_rows(Open& open) {
    AnyBlock& block = *open.block;
    Parting out;
    const std::int32_t n_branches = open.best.n_branches;
    const bool asks_surrogates = job_.plan.surrogates >= 0;
    out.in_two = n_branches == 2 && (asks_surrogates || !job_.plan.missing_stays);
    mark(open, out);
    if (asks_surrogates) ask_surrogates(open, out, out.known);
    std::uint32_t* order = block.order.data() + open.begin;
    const std::int32_t n = open.rows();
    out.starts.assign(n_branches + 1, 0);
    std::vector<std::int32_t> count(n_branches + 1, 0);
    if (out.in_two) {
        for (std::int32_t i = 0; i < n; ++i) count[1] += block.right[order[i]];
        count[0] = n - count[1];
    } else {
        for (std::int32_t i = 0; i < n; ++i) ++count[block.branch[order[i]]];
    }
    for (std::int32_t b = 0; b < n_branches; ++b) out.starts[b + 1] = out.starts[b] + count[b];
    if (scratch_.spare.size() < static_cast<std::size_t>(n)) scratch_.spare.resize(n);
    auto* spare = reinterpret_cast<std::uint32_t*>(scratch_.spare.data());
    const auto same = [](std::uint32_t row) { return row; };
    if (out.in_two)
        split_in_two(order, n, block.right.data(), spare, same);
    else
        split_in_many(order, n, block.branch.data(), out.starts, spare, same);
    return out;
}

// The entries of a sparse column fall to the branches; the span of each comes to stand in scratch.
void Worker::part_sparse(AnyBlock& block, std::int32_t column, Span span, const Parting* parting,
                         Scratch& scratch) const {
    if (!parting) {
        scratch.spans.assign(1, span);
        return;
    }
    const std::int32_t n = span.size();
    const auto n_branches = static_cast<std::int32_t>(parting->starts.size()) - 1;
    scratch.spans.assign(n_branches, Span{span.begin, span.begin});
    if (n == 0) return;
    if (scratch.spare.size() < static_cast<std::size_t>(n)) scratch.spare.resize(n);
    const auto part = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        Entry* list = typed.list(column) + span.begin;
        auto* spare = reinterpret_cast<Entry*>(scratch.spare.data());
        const auto row = [](Entry e) { return row_of(e); };
        if (parting->in_two) {
            const std::int32_t middle = span.end - split_in_two(list, n, block.right.data(), spare, row);
            scratch.spans = {{span.begin, middle}, {middle, span.end}};
            return;
        }
        std::vector<std::int32_t> starts(n_branches + 2, 0);
        for (std::int32_t i = 0; i < n; ++i) ++starts[block.branch[row_of(list[i])] + 1];
        for (std::int32_t b = 0; b < n_branches; ++b) {
            starts[b + 1] += starts[b];
            scratch.spans[b] = {span.begin + starts[b], span.begin + starts[b + 1]};
        }
        split_in_many(list, n, block.branch.data(), starts, spare, row);
    };
    if (block.is_wide)
        part(static_cast<Block<std::uint64_t>&>(block));
    else
        part(static_cast<Block<std::uint32_t>&>(block));
}

}  // namespace hornbeam
