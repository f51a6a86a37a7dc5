// Nodes whose questions are sampled: one random question per column, or random pairs of a column and a cut. What can be
// sampled from is found for all columns first; the questions are then sampled in the order of columns, from one stream
// per node, so that they do not depend on the threads.
#pragma once

#include "nodes/source.hpp"

namespace hornbeam {

void search_random_questions(Family& family, Work& work);
void search_random_pairs(Family& family, Work& work);

// Partitions one active column among the nodes of a family (list_source.cpp).
void partition_column(Family& family, std::size_t place, const Work& work, Scratch& scratch);

}  // namespace hornbeam
