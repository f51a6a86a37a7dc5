// Which question about another column sends rows as the first does?  ALGORITHMS 7.3; parts/missing/surrogates.py is the
// plain twin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "growing/block.hpp"
#include "missing/kept.hpp"

namespace hornbeam {

// The weight that the first question sends to each branch, of some rows.
struct Sides {
    double weight[2] = {0, 0};
    std::int64_t rows = 0;
    double total() const { return weight[0] + weight[1]; }
    double larger() const { return weight[0] > weight[1] ? weight[0] : weight[1]; }
};

// What a column's values tell about the branches: the rows and weight of each branch at every value, ascending.
struct Agreeing {
    std::vector<double> values;  // of a cut; empty for levels
    std::vector<double> held;    // two a value
    std::vector<std::int64_t> rows;
    Sides both;  // rows whose value and branch are known
    bool is_nominal = false;
    std::int32_t column = -1;
};

// The best surrogate of a column, or none: `answered` are all rows with a known branch.
std::optional<KeptQuestion> best_surrogate(const Agreeing& table, const Sides& answered, bool of_known);

// Best agreement first, equal ones in the order of columns; at most so many.
void keep_best(std::vector<KeptQuestion>& found, std::size_t at_most);

}  // namespace hornbeam
