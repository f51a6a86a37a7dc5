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
    }
    place_rows(*open.block, open.begin + parting.starts[n_branches], open.end, open.record);
    const bool is_done = job_.plan.once_per_path && open.best.type == Candidate::Type::map;
    if (is_done) {
        const auto place = std::find(open.active.begin(), open.active.end(), open.best.column) - open.active.begin();
        open.active.erase(open.active.begin() + place);
        if (!open.spans.empty()) open.spans.erase(open.spans.begin() + place);
    }
    for (Open& child : children) child.n_asked = open.n_asked + is_done;
    settle(children, open.active, &open, &parting, queue);
}

void Worker::close(const Open& open, Reason reason) {
    fragment_.records[open.record].reason = reason;
    place_rows(*open.block, open.begin, open.end, open.record);
}

void Worker::place_rows(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t record) const {
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
    if (static_cast<double>(totals.weight) * plan.target.weight_unit < plan.min_split_weight)
        return Reason::rows_to_split;
    if (plan.max_depth >= 0 && open.depth >= plan.max_depth) return Reason::depth;
    const double weight = static_cast<double>(totals.weight) * plan.target.weight_unit;
    if (totals.rows < 2 * plan.min_leaf || weight < 2 * plan.min_leaf_weight) return Reason::rows_in_leaf;
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
    if (open.best.many)
        mark_many(open, out);
    else if (open.best.type == Candidate::Type::missing)
        mark_missing(open, out);
    else if (open.best.type == Candidate::Type::cut && job_.columns[open.best.column].is_listed)
        mark_cut(open, out);
    else if (job_.columns[open.best.column].is_plain)
        mark_reals(open, out);
    else
        mark_codes(open, out);
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

// A cut of a sorted list: its first rows are branch 0; rows without a value stand last.
void Worker::mark_cut(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const std::int32_t n = open.rows(), below = open.best.below;
    const auto mark = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        const Entry* list = typed.list(open.best.column) + open.begin;
        std::int32_t known = n;
        while (known > 0 && rank_of(list[known - 1]) == NO_RANK<Entry>) --known;
        std::vector<std::int64_t> weight = {below, known - below};
        if (!block.weights.empty()) {
            weight = {0, 0};
            for (std::int32_t i = 0; i < known; ++i) weight[i >= below] += block.weights[row_of(list[i])];
        }
        const std::int32_t missing = larger_branch(open, weight);
        parting.known = weight;
        parting.missing_branch = missing < open.best.n_branches ? missing : -1;
        for (std::int32_t i = 0; i < n; ++i) {
            const std::int32_t b = i < below ? 0 : i < known ? 1 : missing;
            if (parting.in_two)
                block.right[row_of(list[i])] = static_cast<std::uint8_t>(b);
            else
                block.branch[row_of(list[i])] = static_cast<std::uint16_t>(b);
        }
    };
    if (block.is_wide)
        mark(static_cast<Block<std::uint64_t>&>(block));
    else
        mark(static_cast<Block<std::uint32_t>&>(block));
}

void Worker::mark_codes(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const Candidate& best = open.best;
    const std::uint32_t n_codes = job_.columns[best.column].n_codes;
    std::vector<std::int32_t> branch_of = best.branch_of;
    if (best.type == Candidate::Type::cut) {
        branch_of.resize(n_codes);
        for (std::uint32_t code = 0; code < n_codes; ++code) branch_of[code] = code > best.code;
    }
    const Codes& codes = block.codes[best.column];
    const std::uint32_t* order = block.order.data() + open.begin;
    const auto mark = [&](const auto* code) {
        std::vector<std::int64_t> weight(best.n_branches, 0);
        for (std::int32_t i = 0; i < open.rows(); ++i)
            if (code[order[i]] < n_codes)
                weight[branch_of[code[order[i]]]] += block.weights.empty() ? 1 : block.weights[order[i]];
        const std::int32_t missing = larger_branch(open, weight);
        parting.known = weight;
        parting.missing_branch = missing < best.n_branches ? missing : -1;
        branch_of.push_back(missing);
        for (std::int32_t i = 0; i < open.rows(); ++i) {
            const std::int32_t b = branch_of[code[order[i]]];
            if (parting.in_two)
                block.right[order[i]] = static_cast<std::uint8_t>(b);
            else
                block.branch[order[i]] = static_cast<std::uint16_t>(b);
        }
    };
    if (block.is_sparse[best.column])
        mark(unpacked(open));
    else
        with_codes(codes, mark);
}

// The codes of a node's rows in the sparse column that is split.
const std::uint16_t* Worker::unpacked(const Open& open) {
    AnyBlock& block = *open.block;
    const std::int32_t column = open.best.column;
    const Span span = open.spans[std::find(open.active.begin(), open.active.end(), column) - open.active.begin()];
    std::vector<std::uint16_t>& codes = scratch_.unpacked;
    if (codes.size() < static_cast<std::size_t>(block.n_rows)) codes.resize(block.n_rows);
    const auto common = static_cast<std::uint16_t>(job_.columns[column].common);
    for (std::int32_t i = open.begin; i < open.end; ++i) codes[block.order[i]] = common;
    const auto unpack = [&](auto& typed) {
        for (std::int32_t i = span.begin; i < span.end; ++i)
            codes[row_of(typed.list(column)[i])] = static_cast<std::uint16_t>(rank_of(typed.list(column)[i]));
    };
    if (block.is_wide)
        unpack(static_cast<Block<std::uint64_t>&>(block));
    else
        unpack(static_cast<Block<std::uint32_t>&>(block));
    return codes.data();
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
