// The cuts of a column that are tried where not all are: boundaries between classes, or pairs of a column and a cut
// that were sampled for the node. They are marked in `scratch.is_marked`, by the row or the code below them. Where
// missing values may go to either side, `scratch.holes` has them, and the marks have a bit per side.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

inline bool tries_some(const Scoring& s) { return s.plan.cuts.at_boundaries || s.plan.cuts.pairs > 0; }

// How many cuts a penalty counts: of boundaries all that the least sizes allow, else those that were tried.
inline std::int32_t cuts_counted(const Scoring& s, const Cut& cut, std::int64_t allowed) {
    return s.plan.cuts.at_boundaries ? static_cast<std::int32_t>(allowed) : cut.tried;
}

// Both return how many cuts the least sizes allow.
template <class Entry>
std::int64_t mark_cuts(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t known,
                       std::int64_t known_weight, Scratch& scratch);
std::int64_t mark_code_cuts(const Scoring& s, const CodeTable& table, std::int64_t known_weight, Scratch& scratch);

}  // namespace hornbeam
