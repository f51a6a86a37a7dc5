// A node at which some pairs of a column and a cut are drawn: the cuts of all columns are counted first, so that every
// pair has a number; then the columns are searched, each for the cuts drawn in it.
#include <algorithm>

#include "core/random.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::search_pairs(std::vector<Open>& nodes, std::vector<Open*>& searched,
                          const std::vector<std::int32_t>& active, const Open* parent, const Parting* parting,
                          std::vector<std::vector<Candidate>>& found, std::vector<std::vector<Span>>& spans) {
    const std::size_t d = active.size();
    const auto span_of = [&](const Open& node, std::size_t i) {
        return job_.has_sparse ? spans[&node - nodes.data()][i] : Span{};
    };
    std::vector<std::vector<std::int64_t>> counts(searched.size(), std::vector<std::int64_t>(d));
    each_column(static_cast<std::int64_t>(d), [&](std::int64_t i, Scratch& scratch) {
        part_column(nodes, active[i], i, parent, parting, spans, scratch);
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const Open& node = *searched[s];
            counts[s][i] = job_.search.n_cuts(*node.block, node.begin, node.end, node.totals, active[i],
                                              span_of(node, i), scratch);
        }
    });
    std::vector<std::vector<std::vector<std::int64_t>>> drawn(searched.size());
    for (std::size_t s = 0; s < searched.size(); ++s) {
        Stream stream(key(job_.plan.seed, Purpose::thresholds, job_.plan.tree, searched[s]->id));
        std::int64_t total = 0;
        for (const std::int64_t count : counts[s]) total += count;
        const std::vector<std::int64_t> places = stream.choose(total, std::min<std::int64_t>(job_.plan.pairs, total));
        drawn[s].resize(d);
        std::int64_t start = 0;
        auto next = places.begin();
        for (std::size_t i = 0; i < d; start += counts[s][i++])
            for (; next != places.end() && *next < start + counts[s][i]; ++next) drawn[s][i].push_back(*next - start);
    }
    each_column(static_cast<std::int64_t>(d), [&](std::int64_t i, Scratch& scratch) {
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const Open& node = *searched[s];
            scratch.drawn = &drawn[s][i];
            found[s][i] = job_.search.best(*node.block, node.begin, node.end, node.totals, node.impurity, active[i],
                                           span_of(node, i), scratch);
            scratch.drawn = nullptr;
        }
    });
}

}  // namespace hornbeam
