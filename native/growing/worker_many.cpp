// Questions about many columns at a node: they are searched after every single column, and divide rows by asking each.
#include <algorithm>

#include "core/question_kinds.hpp"
#include "growing/node_scorer.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

// Questions about many columns join the candidates; they see the best one about a single column.
void Worker::search_many(Open& node, std::vector<Candidate>& found, Scratch& scratch) const {
    std::vector<std::int32_t> columns;
    for (const Candidate& each : found)
        if (each.column >= 0 && each.type != Candidate::Type::constant)
            if (columns.empty() || columns.back() != each.column) columns.push_back(each.column);
    if (!job_.plan.cuts) columns = node.active;
    const int chosen = job_.search.choose(found, node.totals, node.impurity);
    Candidate rival;
    if (chosen >= 0) {
        rival = found[chosen];
        job_.search.complete(*node.block, node.begin, node.end, node.totals, rival);
    }
    NodeScorer scorer(job_.plan, job_.cells, job_.search, node, scratch);
    const double cut = rival.type == Candidate::Type::cut ? threshold(rival) : 0.0;
    scorer.add_best(columns, chosen >= 0 ? &rival : nullptr, cut, found);
}

void Worker::look_ahead(Open& node, std::vector<Candidate>& found) const {
    NodeScorer(job_.plan, job_.cells, job_.search, node, scratch_).look_ahead(found);
}

void Worker::mark_many(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    std::vector<std::uint32_t> rows(open.rows());
    for (std::int32_t i = 0; i < open.rows(); ++i) rows[i] = block.row_of[block.order[open.begin + i]];
    RowSides side;
    open.best.many->branches(job_.cells, rows, side);
    std::vector<std::int64_t> weight(2, 0);
    for (std::int32_t i = 0; i < open.rows(); ++i)
        if (side[i] >= 0) weight[side[i]] += block.weights.empty() ? 1 : block.weights[block.order[open.begin + i]];
    const std::int32_t missing = larger_branch(open, weight);
    parting.known = weight;
    parting.missing_branch = missing < 2 ? missing : -1;
    for (std::int32_t i = 0; i < open.rows(); ++i) {
        const std::uint32_t row = block.order[open.begin + i];
        const std::int32_t b = side[i] < 0 ? missing : side[i];
        if (parting.in_two)
            block.right[row] = static_cast<std::uint8_t>(b);
        else
            block.branch[row] = static_cast<std::uint16_t>(b);
    }
}

// What a question is compared by: its score over the cost of its column (of many, the dearest) and the price of its
// kind.
double ColumnSearch::paid(double score, const Candidate& c) const {
    if (!c.many && !plan_.column_cost.empty()) score /= plan_.column_cost[c.column];
    if (c.many && !plan_.column_cost.empty()) {
        double dearest = 0;
        for (const std::int32_t column : c.many->terms) dearest = std::max(dearest, plan_.column_cost[column]);
        score /= dearest;
    }
    if (plan_.price.empty()) return score;
    int kind = c.type == Candidate::Type::cut ? (c.cuts ? INTERVALS : THRESHOLD) : IS_MISSING;
    if (c.type == Candidate::Type::map) kind = plan_.asks_each() ? EACH_VALUE : SUBSET;
    if (c.many) kind = static_cast<int>(c.many->number());
    return score / (1.0 + plan_.price[kind]);
}

}  // namespace hornbeam
