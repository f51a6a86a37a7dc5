// Marks the cuts of a column to try, if not all are: boundaries between classes, or sampled pairs of column and cut.
// The marks are in `scratch.is_marked`, by the row or code below the cut, with a bit per side if missing values
// (`scratch.missing`) may take either branch.
#pragma once

#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

inline bool has_marked_cuts(const Scoring& s) { return s.plan.cuts.at_boundaries || s.plan.cuts.pairs > 0; }

// The number of cuts for C4.5's penalty: with boundaries all of the minimum size, else those tried.
inline std::int32_t cuts_counted(const Scoring& s, const Cut& cut, std::int64_t allowed) {
    return s.plan.cuts.at_boundaries ? static_cast<std::int32_t>(allowed) : cut.tried;
}

// Both return the number of cuts with the minimum size of branches.
template <class Entry>
std::int64_t mark_cuts(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t known,
                       std::int64_t known_weight, Scratch& scratch);
std::int64_t mark_code_cuts(const Scoring& s, const CodeTable& table, std::int64_t known_weight, Scratch& scratch);

}  // namespace hornbeam
