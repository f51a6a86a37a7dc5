// best_intervals: splits a numeric or ordinal column into several intervals at once: rows of equal values are groups,
// groups form blocks, blocks form pieces (searches/intervals.hpp), and each piece is a branch. Two pieces are a cut.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

Candidate best_intervals(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch);

}  // namespace hornbeam
