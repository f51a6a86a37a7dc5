// The branch of rows whose value is missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nodes/node.hpp"

namespace hornbeam {

// `weight` is that of the known rows per branch. Returns the number of branches if the question decides no branch.
inline std::int32_t missing_branch(const Plan& plan, const Candidate& best, const std::vector<std::int64_t>& weight) {
    if (best.missing_branch >= 0) return best.missing_branch;
    if (plan.missing.is_fractional || plan.missing.surrogates >= 0 || plan.missing.stays) return best.n_branches;
    return static_cast<std::int32_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
}

}  // namespace hornbeam
