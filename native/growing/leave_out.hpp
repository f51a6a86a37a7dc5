// What of a grown tree need not be handed over?  What follows from the rest: node_arrays.py makes it when asked for.
// And what takes fewer bytes in another form: packed.py gives it back in full.
#pragma once

#include "growing/plan.hpp"

namespace hornbeam {

// Empties the arrays that say nothing new. Parents and depths follow in every tree, branches where all have two, the
// branch of missing values where it is the heavier one, the weight where the statistics add up to it, the answer where
// it is the first of the heaviest classes, the impurity where it is the mean squared distance of numbers, the score
// where it is the gain, questions where they stand in the order of nodes; of questions that are all thresholds only
// columns and cuts say something.
//
// Of a tree that is not small, statistics of classes and rows that are whole numbers go into the narrowest type that
// holds them; gain and impurity keep the inner nodes alone where the leaves have 0.
void leave_out(Grown& grown, bool is_class);

}  // namespace hornbeam
