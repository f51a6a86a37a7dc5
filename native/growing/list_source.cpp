#include "growing/list_source.hpp"

#include "core/partition.hpp"
#include "growing/branches.hpp"
#include "growing/sampled_questions.hpp"
#include "growing/search.hpp"
#include "missing/node_surrogates.hpp"

namespace hornbeam {
namespace {

void partition_list(const Open& open, std::int32_t column, const RowPartition& rows, const Work& work,
                    Scratch& scratch) {
    AnyBlock& block = *open.block;
    if (!block.has_list[column]) return;
    // The list of the cut is already in the order of branches, unless missing values move from its end.
    const bool is_cut = column == open.best.column && rows.in_two;
    if (is_cut && !work.job.columns[column].has_missing) return;
    const std::int32_t n = open.rows();
    // Two branches: only the right one is buffered, plus one entry that is written behind it.
    const std::int32_t aside = rows.in_two ? n - rows.starts[1] + 1 : n;
    with_entries(block, [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        Entry* list = typed.list(column) + open.begin;
        auto* spare = scratch.spare_for<Entry>(aside);
        if (rows.in_two)
            partition_in_two(list, n, spare, [right = block.right.data()](Entry e) { return right[row_of(e)]; });
        else
            partition_in_many(list, n, rows.starts, spare, [&](Entry e) { return block.branch[row_of(e)]; });
    });
}

// Partitions the entries of a sparse column; `spans` become those of the branches.
void partition_sparse(AnyBlock& block, std::int32_t column, Span span, const RowPartition& rows, Scratch& scratch) {
    const std::int32_t n = span.size();
    const auto n_branches = static_cast<std::int32_t>(rows.starts.size()) - 1;
    scratch.spans.assign(n_branches, Span{span.begin, span.begin});
    if (n == 0) return;
    with_entries(block, [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        Entry* list = typed.list(column) + span.begin;
        auto* spare = scratch.spare_for<Entry>(n);
        if (rows.in_two) {
            const auto side = [right = block.right.data()](Entry e) { return right[row_of(e)]; };
            const std::int32_t middle = span.begin + partition_in_two(list, n, spare, side);
            scratch.spans[0] = {span.begin, middle};
            scratch.spans[1] = {middle, span.end};
            return;
        }
        std::vector<std::int32_t> starts(n_branches + 2, 0);
        for (std::int32_t i = 0; i < n; ++i) ++starts[block.branch[row_of(list[i])] + 1];
        for (std::int32_t b = 0; b < n_branches; ++b) {
            starts[b + 1] += starts[b];
            scratch.spans[b] = {span.begin + starts[b], span.begin + starts[b + 1]};
        }
        partition_in_many(list, n, starts, spare, [&](Entry e) { return block.branch[row_of(e)]; });
    });
}

// Whether a node of two rows needs only the first column that separates them: all others tie with it.
bool may_end_early(const Plan& plan, Choice choice) {
    return plan.max_features <= 0 && choice == Choice::first_best && plan.column_cost.empty() &&
           plan.split_penalty.empty() && plan.missing.mode == MissingMode::apart && plan.missing.surrogates < 0 &&
           plan.competitors <= 0 && plan.many.empty() && !plan.stops.splits_pure;
}

}  // namespace

void partition_column(Family& family, std::size_t index, const Work& work, Scratch& scratch) {
    const std::int32_t column = family.active[index];
    if (family.parent) partition_list(*family.parent, column, *family.partition, work, scratch);
    if (!work.job.columns[column].is_sparse) return;
    AnyBlock& block = *family.nodes[0].block;
    if (family.parent)
        partition_sparse(block, column, family.parent->spans[index], *family.partition, scratch);
    else
        scratch.spans.assign(1, Span{0, block.list_size(column)});
    for (std::size_t b = 0; b < family.nodes.size(); ++b) family.spans[b][index] = scratch.spans[b];
}

void ListSource::prepare(Open& open) const {
    auto own = own_block(open.slice(), open.active, open.spans);
    if (!own) return;
    open.block = std::move(own);
    open.end -= open.begin;
    open.begin = 0;
}

RowPartition ListSource::partition_rows(Open& open, Work& work) const {
    AnyBlock& block = *open.block;
    const Plan& plan = work.job.plan;
    RowPartition out;
    const std::int32_t n_branches = open.best.n_branches, n = open.rows();
    const bool has_surrogates = plan.missing.surrogates >= 0;
    out.in_two = n_branches == 2 && (has_surrogates || !plan.missing.stays);
    mark_branches(open, out, work);
    if (has_surrogates) follow_surrogates(open, out, work);
    std::uint32_t* order = block.order.data() + open.begin;
    auto* spare = work.scratch.spare_for<std::uint32_t>(n + 1);
    out.starts.assign(n_branches + 1, 0);
    if (out.in_two) {
        out.starts[1] =
            partition_in_two(order, n, spare, [right = block.right.data()](std::uint32_t row) { return right[row]; });
        out.starts[2] = n;
        return out;
    }
    std::vector<std::int32_t> count(n_branches + 1, 0);
    for (std::int32_t i = 0; i < n; ++i) ++count[block.branch[order[i]]];
    for (std::int32_t b = 0; b < n_branches; ++b) out.starts[b + 1] = out.starts[b] + count[b];
    partition_in_many(order, n, out.starts, spare, [&](std::uint32_t row) { return block.branch[row]; });
    return out;
}

void ListSource::search(Family& family, Work& work) const {
    const Plan& plan = work.job.plan;
    if (plan.cuts.random) return search_random_questions(family, work);
    if (plan.cuts.pairs > 0) return search_random_pairs(family, work);
    const bool may_end = !work.each && may_end_early(plan, work.job.scoring.choice);
    std::vector<char> is_done(family.searched.size(), 0);
    work.each_column(family.active.size(), [&](std::int64_t i, Scratch& scratch) {
        partition_column(family, i, work, scratch);
        for (std::size_t s = 0; s < family.searched.size(); ++s) {
            if (is_done[s]) continue;
            const Open& node = *family.searched[s];
            family.found[s][i] =
                best_question(work.job.scoring, node.view(), family.active[i], family.span(node, i), scratch);
            if (may_end && node.rows() == 2) is_done[s] = family.found[s][i].found();
        }
    });
}

}  // namespace hornbeam
