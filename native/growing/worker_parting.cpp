// How a worker divides the rows of a node: each row is given its branch by the question, then the row list and the
// lists of the columns are partitioned.
#include <algorithm>

#include "core/partition.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

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
    auto* spare = scratch_.spare_for<std::uint32_t>(n);
    if (out.in_two)
        partition_in_two(order, n, spare, [right = block.right.data()](std::uint32_t row) { return right[row]; });
    else
        partition_in_many(order, n, out.starts, spare, [&](std::uint32_t row) { return block.branch[row]; });
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
    if (n == 0) {
        scratch.spans.assign(n_branches, Span{span.begin, span.begin});
        return;
    }
    scratch.spans.resize(n_branches);
    const auto part = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        Entry* list = typed.list(column) + span.begin;
        auto* spare = scratch.spare_for<Entry>(n);
        if (parting->in_two) {
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
    };
    if (block.is_wide)
        part(static_cast<Block<std::uint64_t>&>(block));
    else
        part(static_cast<Block<std::uint32_t>&>(block));
}

void Worker::part_list(AnyBlock& block, std::int32_t column, const Open& open, const Parting& parting,
                       Scratch& scratch) const {
    if (!block.has_list[column]) return;
    // The list that was cut is in order of the branches already, unless rows without a value moved from its end.
    const bool is_cut = column == open.best.column && parting.in_two;
    if (is_cut && !job_.columns[column].has_missing) return;
    const std::int32_t n = open.rows();
    // In two only the right branch is set aside, and one entry more is written behind it.
    const std::int32_t aside = parting.in_two ? n - parting.starts[1] + 1 : n;
    const auto part = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        Entry* list = typed.list(column) + open.begin;
        auto* spare = scratch.spare_for<Entry>(aside);
        if (parting.in_two)
            partition_in_two(list, n, spare, [right = block.right.data()](Entry e) { return right[row_of(e)]; });
        else
            partition_in_many(list, n, parting.starts, spare, [&](Entry e) { return block.branch[row_of(e)]; });
    };
    if (block.is_wide)
        part(static_cast<Block<std::uint64_t>&>(block));
    else
        part(static_cast<Block<std::uint32_t>&>(block));
}

}  // namespace hornbeam
