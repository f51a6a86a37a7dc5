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

// Classes by Gini: `lanes` sums a class. All squares must be exact as doubles: a total below 2^26.
void square_scores(const std::int64_t* sums, std::size_t lanes, int n_classes, const std::int64_t* totals, double total,
                   double whole, double* scores);

}  // namespace hornbeam
