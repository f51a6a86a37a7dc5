// A node that asks whether a value is missing: branch 0 where it is.
#include <cmath>

#include "growing/worker.hpp"

namespace hornbeam {

void Worker::mark_missing(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const SourceColumn& source = job_.plan.columns[open.best.column];
    parting.missing_branch = 0;
    for (std::int32_t i = open.begin; i < open.end; ++i) {
        const std::uint32_t row = block.order[i], at = block.row_of[row];
        const bool is_known = source.codes ? source.codes[at] >= 0 : !std::isnan(source.reals[at]);
        if (parting.in_two)
            block.right[row] = is_known;
        else
            block.branch[row] = is_known;
    }
}

}  // namespace hornbeam
