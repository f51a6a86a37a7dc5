// How does a row go down several branches at once?  Each child of such a node gets a block of its own, in which the row
// stands with the share of its weight that the branch takes (definitions 4.2.4 and 7.4).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "growing/block.hpp"

namespace hornbeam {

// A row of a node and its weight in one branch.
struct Share {
    std::uint32_t row = 0;
    std::int64_t weight = 0;
};

// The rows of every branch, ascending, from `branch` of each row (`known.size()`: unknown) and the known weight of each
// branch. A share below a millionth of the row's own weight is dropped and the others grow to make up for it; the
// heaviest branch always takes its part.
std::vector<std::vector<Share>> shared_rows(const Plan& plan, const AnyBlock& block, std::int32_t begin,
                                            std::int32_t end, const std::vector<std::int64_t>& known);

// A block of these rows, with the lists and codes of the active columns.
std::shared_ptr<AnyBlock> shared_block(const Plan& plan, AnyBlock& from, std::int32_t begin, std::int32_t end,
                                       const std::vector<Share>& rows, const std::vector<std::int32_t>& active);

}  // namespace hornbeam
