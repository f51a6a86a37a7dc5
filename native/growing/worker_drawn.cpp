// Which columns compete at a node?  Those that still vary, or of them so many as are drawn.
#include "core/column_sampler.hpp"
#include "core/random.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::draw_columns(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active,
                          const std::vector<Span>& spans) const {
    node.active.reserve(active.size());
    node.spans.reserve(spans.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
        if (found[i].type == Candidate::Type::constant) continue;
        node.active.push_back(active[i]);
        if (!spans.empty()) node.spans.push_back(spans[i]);
    }
    if (job_.plan.max_features > 0 && !job_.plan.random_cuts) keep_drawn(node, found);
}

// The columns drawn for this node, and more until one of them varies. The others do not compete.
void Worker::keep_drawn(const Open& node, std::vector<Candidate>& found) const {
    ColumnSampler sampler(static_cast<std::int64_t>(job_.plan.columns.size()));
    sampler.start(key(job_.plan.seed, Purpose::features, job_.plan.tree, node.id));
    std::vector<std::int32_t> at(job_.plan.columns.size(), -1);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].column >= 0 && found[i].type != Candidate::Type::constant)
            at[found[i].column] = static_cast<std::int32_t>(i);
    std::vector<bool> keep(found.size(), false);
    sample_columns(sampler, job_.plan.max_features, [&](std::int32_t column) {
        if (at[column] >= 0) keep[at[column]] = true;
        return at[column] >= 0;
    });
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!keep[i]) found[i].type = Candidate::Type::constant;
}

// What two searches found about a column stands side by side.
void Worker::join_seconds(std::vector<Candidate>& found) const {
    std::vector<Candidate> all;
    all.reserve(2 * found.size());
    for (Candidate& each : found) {
        const auto second = each.type == Candidate::Type::constant ? nullptr : std::move(each.second);
        all.push_back(std::move(each));
        if (second) all.push_back(std::move(*second));
    }
    found = std::move(all);
}

}  // namespace hornbeam
