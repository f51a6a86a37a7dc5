// A node whose questions are drawn: look at the columns that compete, draw for each in the order of columns, then score
// them. The draws come from one stream a node, so they cannot depend on who makes them.
#include <algorithm>
#include <cmath>

#include "core/column_sampler.hpp"
#include "core/random.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::settle_at_random(Open& node, const std::vector<std::int32_t>& active, std::vector<Open>& queue) {
    std::vector<Candidate> found(active.size());
    std::vector<Look> looks(active.size());
    const std::vector<std::int32_t> kept = looked_at(node, active, looks, found);
    Stream stream(key(job_.plan.seed, Purpose::thresholds, job_.plan.tree, node.id));
    std::vector<Drawn> drawn(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) drawn[i] = job_.search.draw(looks[kept[i]], active[kept[i]], stream);
    each_column(static_cast<std::int64_t>(kept.size()), [&](std::int64_t i, Scratch& scratch) {
        found[kept[i]] = job_.search.of_drawn(*node.block, node.begin, node.end, node.totals, node.impurity,
                                              active[kept[i]], drawn[i], scratch);
    });
    draw_columns(node, found, active, {});
    decide(node, found, queue);
}

// The places in `active` of the columns that compete and vary, ascending. With columns drawn at random only those that
// come up are looked at at all.
std::vector<std::int32_t> Worker::looked_at(const Open& node, const std::vector<std::int32_t>& active,
                                            std::vector<Look>& looks, std::vector<Candidate>& found) {
    const auto look = [&](std::int32_t i, Scratch& scratch) {
        looks[i] = job_.search.look(*node.block, node.begin, node.end, node.totals, active[i], scratch);
        if (!looks[i].varies) found[i].type = Candidate::Type::constant;
    };
    std::vector<std::int32_t> kept;
    if (job_.plan.max_features <= 0) {
        each_column(static_cast<std::int64_t>(active.size()),
                    [&](std::int64_t i, Scratch& scratch) { look(static_cast<std::int32_t>(i), scratch); });
        for (std::size_t i = 0; i < active.size(); ++i)
            if (looks[i].varies) kept.push_back(static_cast<std::int32_t>(i));
        return kept;
    }
    ColumnSampler sampler(static_cast<std::int64_t>(job_.plan.columns.size()));
    sampler.start(key(job_.plan.seed, Purpose::features, job_.plan.tree, node.id));
    std::vector<std::int32_t> at(job_.plan.columns.size(), -1);
    for (std::size_t i = 0; i < active.size(); ++i) at[active[i]] = static_cast<std::int32_t>(i);
    sample_columns(sampler, job_.plan.max_features, [&](std::int32_t column) {
        const std::int32_t place = at[column];
        if (place < 0) return false;
        look(place, scratch_);
        if (looks[place].varies) kept.push_back(place);
        return looks[place].varies;
    });
    std::sort(kept.begin(), kept.end());
    return kept;
}

// A cut of numbers that lie in no order.
void Worker::mark_reals(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const double* reals = job_.plan.columns[open.best.column].reals.in_a_row();
    const double cut = open.best.low;
    const std::uint32_t* order = block.order.data() + open.begin;
    const auto value = [&](std::int32_t i) { return reals[block.row_of[order[i]]]; };
    std::vector<std::int64_t> weight = {0, 0};
    for (std::int32_t i = 0; i < open.rows(); ++i)
        if (!std::isnan(value(i))) weight[value(i) > cut] += block.weights.empty() ? 1 : block.weights[order[i]];
    const std::int32_t missing = larger_branch(open, weight);
    parting.known = weight;
    parting.missing_branch = missing < 2 ? missing : -1;
    for (std::int32_t i = 0; i < open.rows(); ++i) {
        const std::int32_t b = std::isnan(value(i)) ? missing : value(i) > cut;
        if (parting.in_two)
            block.right[order[i]] = static_cast<std::uint8_t>(b);
        else
            block.branch[order[i]] = static_cast<std::uint16_t>(b);
    }
}

}  // namespace hornbeam
