// Scores of the cuts of many columns from the sums below them, with the formulas of searches/cut.hpp. Scores of unused
// lanes are undefined.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbeam {

// Two classes: weight << 32 | weight of class 1.
void packed_scores(const std::int64_t* sums, std::size_t lanes, double total, double mean, double* scores);

// Regression: sums, then weights.
void number_scores(const std::int64_t* sums, std::size_t lanes, std::int64_t center, double total, double mean,
                   double* scores);

// Of a node: the weight of every class, the total weight, the sum of the squared class weights.
struct ClassSquares {
    int n_classes;
    const std::int64_t* totals;
    double total, squares;
};

// Gini: `lanes` sums per class. Requires a total weight below 2^26, so that all squares are exact as doubles.
void square_scores(const std::int64_t* sums, std::size_t lanes, const ClassSquares& node, double* scores);

}  // namespace hornbeam
