// The combinations of parts that have no kernel: the one place of the core that lists them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "parts/value.hpp"

namespace hornbeam {

// What decides whether there is a kernel, in addition to the parts.
struct GrowthFacts {
    std::int64_t n_rows = 0, n_classes = 0;
    std::int64_t n_levels = 0;  // largest number of levels of a column
    bool has_missing = false, has_first_question = false;
    std::function<std::int64_t()> distinct_targets;
};

// A description of the part, or of the combination, that has no kernel; empty if the core can grow the tree.
std::string without_kernel(const MethodParts& parts, const GrowthFacts& facts);

// All combinations without a kernel, in general terms: for the documentation.
std::vector<std::string> combinations_without_kernel();

}  // namespace hornbeam
