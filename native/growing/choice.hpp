// The choice among the questions about the columns of a node: the first best by score; C4.5 compares the ratios of
// those that gain enough.
#pragma once

#include <vector>

#include "nodes/scoring.hpp"

namespace hornbeam {

// The best of the candidates, by index; -1 when none is admissible.
int best_candidate(const Scoring& s, const std::vector<Candidate>& candidates, double impurity);
// The values by which they are compared; minus infinity excludes one.
std::vector<double> compared(const Scoring& s, const std::vector<Candidate>& candidates, double impurity);

}  // namespace hornbeam
