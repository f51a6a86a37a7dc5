// Searches of sampled questions: one random question per column, or random pairs of column and cut. Ranges of columns
// are computed first; questions are sampled in the order of columns from one stream per node, independent of threads.
#pragma once

#include "nodes/source.hpp"

namespace hornbeam {

void search_random_questions(Family& family, Work& work);
void search_random_pairs(Family& family, Work& work);

// Partitions one active column among the nodes of a family (list_source.cpp).
void partition_column(Family& family, std::size_t index, const Work& work, Scratch& scratch);

}  // namespace hornbeam
