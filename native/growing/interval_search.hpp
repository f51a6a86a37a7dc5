// Several intervals of a numeric or ordinal column at once: the rows of a node become groups of equal values, the
// groups blocks, the blocks pieces (searches/intervals.hpp), and the pieces branches. A column cut in two is a cut like
// any other.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

Candidate best_intervals(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);

}  // namespace hornbeam
