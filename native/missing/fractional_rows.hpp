// Fractional rows: a row whose value is missing follows every branch with a fraction of its weight. Each child of such
// a node gets its own block, in which the row has that weight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nodes/work.hpp"

namespace hornbeam {

// A row of a node and its weight in one branch.
struct FractionalRow {
    std::uint32_t row = 0;
    std::int64_t weight = 0;
};

// The rows of each branch, ascending, from `branch` of each row (`known.size()`: undefined) and the known weight per
// branch. A fraction below a millionth of the row's original weight is dropped and distributed to the other branches;
// the majority branch always gets its fraction.
std::vector<std::vector<FractionalRow>> fractional_rows(const Plan& plan, const NodeSlice& node,
                                                        const std::vector<std::int64_t>& known);

// A block of these rows of a node, with the lists and codes of the active columns.
std::shared_ptr<AnyBlock> fractional_block(const Plan& plan, const NodeSlice& node,
                                           const std::vector<FractionalRow>& rows,
                                           const std::vector<std::int32_t>& active);

// Whether the outcome of a node's question is undefined for some rows (of several columns: whether it can be).
bool has_missing(const Job& job, const Open& open);

}  // namespace hornbeam
