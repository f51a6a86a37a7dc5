// How good are the cuts of many columns, from the sums below them side by side?  The formulas of searches/cut.hpp, many
// at a time. Lanes nobody asked about get any number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbeam {

// Two classes: weight << 32 | weight of class 1.
void packed_scores(const std::int64_t* sums, std::size_t lanes, double total, double mean, double* scores);

// Numbers: sums, then weights.
void number_scores(const std::int64_t* sums, std::size_t lanes, std::int64_t centre, double total, double mean,
                   double* scores);

// The weight of every class of a node, of all of them, and the sum of their squares.
struct ClassSquares {
    int n_classes;
    const std::int64_t* totals;
    double total, squares;
};

// Classes by Gini: `lanes` sums per class. All squares must be exact as doubles: a total below 2^26.
void square_scores(const std::int64_t* sums, std::size_t lanes, const ClassSquares& node, double* scores);

}  // namespace hornbeam
