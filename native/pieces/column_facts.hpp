// What a pass over the values of a column finds: one pass, without temporary arrays.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace hornbeam {

// The range is of the known values: from infinity to -infinity if there are none.
struct NumberFacts {
    std::int64_t n_missing = 0;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    bool is_integer = true;
};

NumberFacts facts_of(std::span<const double> values);

// The distinct known values, in order; nothing if there are more than `limit`. 0 and -0 are one value.
std::optional<std::vector<double>> distinct_numbers(std::span<const double> values, std::size_t limit);

// The number of missing values, which are codes below 0, followed by the number of each code below `n_codes`.
std::vector<std::int64_t> count_codes(std::span<const std::int32_t> codes, std::int32_t n_codes);

}  // namespace hornbeam
