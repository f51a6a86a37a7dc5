// The choice among the candidates of a node: the first best score, or the rule of C4.5.
#pragma once

#include <vector>

#include "nodes/scoring.hpp"

namespace hornbeam {

// The best of the candidates, by index; -1 when none is admissible.
int best_candidate(const Scoring& s, const std::vector<Candidate>& candidates, double impurity);
// The values by which they are compared; minus infinity excludes one.
std::vector<double> compared(const Scoring& s, const std::vector<Candidate>& candidates, double impurity);

}  // namespace hornbeam
