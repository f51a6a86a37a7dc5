// How rows whose value is missing count in the score of a column; `Sample.holes` in parts/node.py has the same rules.
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam {

enum class HoleRule : int { apart, either, branch };
// What stands in for a missing number at each node; nothing where it was put in for the whole table, or is not.
enum class FillBy : int { nothing, mean, median, mode };

// What the rows of a node sum to whose value of a column is missing.
struct Holes {
    std::int64_t rows = 0, weight = 0;
    std::vector<std::int64_t> cell;    // of the statistic
    std::vector<double> distribution;  // where a quantile is sought: their weight at every number of the node
    // What they are to the criterion, where it scores a question with their branch; elsewhere its decrease is added.
    std::vector<double> own;
};

}  // namespace hornbeam
