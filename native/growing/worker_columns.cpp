// How are the columns of some nodes searched?  One after the other: each column's list is partitioned once and, while
// it is in the cache, searched for every node.
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::search_columns(std::vector<Open>& nodes, std::vector<Open*>& searched,
                            const std::vector<std::int32_t>& active, const Open* parent, const Parting* parting,
                            std::vector<std::vector<Candidate>>& found, std::vector<std::vector<Span>>& spans) {
    each_column(static_cast<std::int64_t>(active.size()), [&](std::int64_t i, Scratch& scratch) {
        const std::int32_t column = active[i];
        if (parent) part_list(*parent->block, column, *parent, *parting, scratch);
        if (job_.columns[column].is_sparse) {
            const Span whole = parent ? parent->spans[i] : Span{0, nodes[0].block->list_size(column)};
            part_sparse(*nodes[0].block, column, whole, parting, scratch);
            for (std::size_t b = 0; b < nodes.size(); ++b) spans[b][i] = scratch.spans[b];
        }
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const Open& node = *searched[s];
            const Span span = job_.has_sparse ? spans[&node - nodes.data()][i] : Span{};
            found[s][i] =
                job_.search.best(*node.block, node.begin, node.end, node.totals, node.impurity, column, span, scratch);
        }
    });
}

}  // namespace hornbeam
