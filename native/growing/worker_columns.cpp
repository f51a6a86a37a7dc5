// How are the columns of some nodes searched?  One after the other: each column's list is partitioned once and, while
// it is in the cache, searched for every node.
#include <utility>

#include "core/random.hpp"
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

// The columns drawn for this node, and more until one of them varies. The others do not compete.
void Worker::keep_drawn(const Open& node, std::vector<Candidate>& found) const {
    Stream stream(key(job_.plan.seed, Purpose::features, job_.plan.tree, node.id));
    const auto d = static_cast<std::uint64_t>(job_.plan.columns.size());
    std::vector<std::int32_t> pool(d), at(d, -1);
    for (std::uint64_t c = 0; c < d; ++c) pool[c] = static_cast<std::int32_t>(c);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].column >= 0 && found[i].type != Candidate::Type::constant)
            at[found[i].column] = static_cast<std::int32_t>(i);
    std::vector<bool> keep(found.size(), false);
    const auto wanted = static_cast<std::uint64_t>(job_.plan.max_features);
    bool has_one = false;
    for (std::uint64_t i = 0; i < d && (i < wanted || !has_one); ++i) {
        std::swap(pool[i], pool[i + stream.below(d - i)]);
        if (at[pool[i]] < 0) continue;
        keep[at[pool[i]]] = has_one = true;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!keep[i]) found[i].type = Candidate::Type::none;
}

}  // namespace hornbeam
