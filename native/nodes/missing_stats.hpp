// How rows whose value is missing count in the score of a column, as `Sample.missing_mode` in parts/node.py.
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam {

enum class MissingMode : int { apart, either, branch };
// The imputed value at each node; `nothing` if values are imputed for the whole table, or not at all.
enum class ImputeBy : int { nothing, mean, median, mode };

// The sums over the rows of a node whose value of a column is missing.
struct MissingStats {
    std::int64_t rows = 0, weight = 0;
    std::vector<std::int64_t> cell;    // of the statistic
    std::vector<double> distribution;  // criterion by quantile: their weight at each target value of the node
    std::vector<double> own;  // statistics of their branch, if scores include it; empty: its decrease is added later
};

}  // namespace hornbeam
