// Fractional rows: a row whose value is missing goes down every branch with a fraction of its weight. Each child of
// such a node gets a block of its own, in which the row has that weight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nodes/work.hpp"

namespace hornbeam {

// A row of a node and its weight in one branch.
struct Share {
    std::uint32_t row = 0;
    std::int64_t weight = 0;
};

// The rows of every branch, ascending, from `branch` of each row (`known.size()`: unknown) and the known weight of each
// branch. A share below a millionth of the row's own weight is dropped and the others grow to make up for it; the
// heaviest branch always takes its part.
std::vector<std::vector<Share>> shared_rows(const Plan& plan, const NodeSlice& node,
                                            const std::vector<std::int64_t>& known);

// A block of these rows of a node, with the lists and codes of the active columns.
std::shared_ptr<AnyBlock> shared_block(const Plan& plan, const NodeSlice& node, const std::vector<Share>& rows,
                                       const std::vector<std::int32_t>& active);

// Whether the answer to the node's question is unknown for some of its rows; of questions about many columns, whether
// it can be.
bool has_missing(const Job& job, const Open& open);

}  // namespace hornbeam
