// Imputation per node: missing values are replaced by the mean, median or mode of the node, and the column is searched
// as if it were complete. A sorted list is copied with the missing rows inserted; in a table of codes their sums are
// added to the code of the value, or become an additional code if a mean is between two codes.
#pragma once

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

inline bool imputes(const Scoring& s, std::int32_t column) {
    return s.plan.missing.impute != ImputeBy::nothing && s.columns[column].has_missing;
}

// The imputed value at a node; NaN or -1 if no value is known. The second function computes it from sums per code.
double imputed_value(const Scoring& s, const NodeSlice& node, std::int32_t column);
double imputed_value(const Scoring& s, const NodeSlice& node, std::int32_t column, const CodeTable& table);

// Inserts the missing rows of a node into the list, or the table of codes, of a column.
template <class Entry>
void impute_list(const Scoring& s, const NodeSlice& node, std::int32_t column, const Entry* list, std::int32_t known,
                 ImputedList& imputed);
void impute_codes(const Scoring& s, const NodeSlice& node, std::int32_t column, Scratch& scratch);

// Sets the branch of missing values to the branch of the imputed level.
void direct_imputed(double value, Candidate& out);
// Includes the imputed value in the values on both sides of a cut.
void include_value(double value, Candidate& best);

}  // namespace hornbeam
