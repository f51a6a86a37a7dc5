// A usual value of a node replaces missing ones: the column is searched as if it were complete. A sorted list is copied
// with the missing rows put in; in a table of codes their sums go to the code of the value, or stand as a code of their
// own where a mean lies between the codes.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

inline bool fills(const Scoring& s, std::int32_t column) {
    return s.plan.missing.fill != FillBy::nothing && s.columns[column].has_missing;
}

// The value that replaces missing ones at a node; NaN or -1 where no value is known. The same from sums per code.
double stands_in(const Scoring& s, const NodeSlice& node, std::int32_t column);
double stands_in(const Scoring& s, const NodeSlice& node, std::int32_t column, const CodeTable& table);

// Puts the missing rows of a node into the list, or the table of codes, of a column.
template <class Entry>
void fill_list(const Scoring& s, const NodeSlice& node, std::int32_t column, const Entry* list, std::int32_t known,
               Filled& filled);
void fill_codes(const Scoring& s, const NodeSlice& node, std::int32_t column, Scratch& scratch);

// Where the levels of a grouping send the value that replaces missing ones.
void direct_filled(double value, Candidate& out);
// A cut lies between the values on both sides of it, and the one that replaces missing ones is one of them.
void widen(double value, Candidate& best);

}  // namespace hornbeam
