// How are the columns of some nodes searched?  One after the other: each column's list is partitioned once and, while
// it is in the cache, searched for every node.
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::part_column(std::vector<Open>& nodes, std::int32_t column, std::int64_t place, const Open* parent,
                         const Parting* parting, std::vector<std::vector<Span>>& spans, Scratch& scratch) const {
    if (parent) part_list(*parent->block, column, *parent, *parting, scratch);
    if (!job_.columns[column].is_sparse) return;
    const Span whole = parent ? parent->spans[place] : Span{0, nodes[0].block->list_size(column)};
    part_sparse(*nodes[0].block, column, whole, parting, scratch);
    for (std::size_t b = 0; b < nodes.size(); ++b) spans[b][place] = scratch.spans[b];
}

void Worker::search_columns(std::vector<Open>& nodes, std::vector<Open*>& searched,
                            const std::vector<std::int32_t>& active, const Open* parent, const Parting* parting,
                            std::vector<std::vector<Candidate>>& found, std::vector<std::vector<Span>>& spans) {
    if (job_.plan.pairs > 0) return search_pairs(nodes, searched, active, parent, parting, found, spans);
    // Two rows can be parted in one way only: all columns that part them tie, and the first wins.
    const Plan& plan = job_.plan;
    const bool may_end = !each_ && plan.max_features <= 0 && !plan.c45 && plan.column_cost.empty() &&
                         plan.price.empty() && plan.missing_counted == HoleRule::apart && plan.surrogates < 0 &&
                         plan.competitors <= 0 && plan.many.empty() && !plan.stops.splits_pure;
    is_parted_.assign(searched.size(), 0);
    each_column(static_cast<std::int64_t>(active.size()), [&](std::int64_t i, Scratch& scratch) {
        const std::int32_t column = active[i];
        part_column(nodes, column, i, parent, parting, spans, scratch);
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const Open& node = *searched[s];
            const Span span = job_.has_sparse ? spans[&node - nodes.data()][i] : Span{};
            if (is_parted_[s]) continue;
            found[s][i] =
                job_.search.best(*node.block, node.begin, node.end, node.totals, node.impurity, column, span, scratch);
            if (may_end && node.rows() == 2) is_parted_[s] = found[s][i].found();
        }
    });
}

}  // namespace hornbeam
