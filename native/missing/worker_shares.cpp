// A node some of whose rows go down every branch in part.
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "growing/worker.hpp"
#include "missing/shared_block.hpp"

namespace hornbeam {

bool Worker::has_unknown(const Open& open) const {
    const std::int32_t column = open.best.column;
    if (!job_.columns[column].has_missing) return false;
    const SourceColumn& source = job_.plan.columns[column];
    const AnyBlock& block = *open.block;
    return std::any_of(block.order.begin() + open.begin, block.order.begin() + open.end, [&](std::uint32_t row) {
        const std::uint32_t at = block.row_of[row];
        return source.codes ? source.codes[at] < 0 : std::isnan(source.reals[at]);
    });
}

void Worker::expand_shared(Open& open, std::vector<Open>& queue) {
    Parting parting;
    mark(open, parting);
    const std::int32_t n_branches = open.best.n_branches;
    const auto first = static_cast<std::int32_t>(fragment_.records.size());
    write_split(open, parting, first);
    fragment_.records.resize(fragment_.records.size() + n_branches);
    const auto rows = shared_rows(job_.plan, *open.block, open.begin, open.end, parting.known);
    const bool is_done = finish_column(open);
    for (std::int32_t b = 0; b < n_branches; ++b) {
        std::vector<Open> one(1);
        Open& child = one[0];
        child.block = shared_block(job_.plan, *open.block, open.begin, open.end, rows[b], open.active);
        child.record = first + b;
        child.end = child.block->n_rows;
        child.depth = open.depth + 1;
        child.id = child_id(open.id, static_cast<std::uint64_t>(b));
        child.n_asked = open.n_asked + is_done;
        child.totals = job_.search.totals(*child.block, child.block->order.data(), child.rows());
        child.totals.id = child.id;
        settle(one, open.active, nullptr, nullptr, queue);
    }
}

}  // namespace hornbeam
