// One random question per column (extremely randomized trees):
//
//   numbers, ordinal levels   min + u (max - min); min where that is not below max
//   categories                each level present goes to branch 0 with probability 1/2; again if all go one way
//
// Numbers are read from the source column: a random cut needs no order, so nothing is sorted and nothing partitioned.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// What a question about a column is sampled from: the range of its numbers, or how many levels are present.
struct QuestionRange {
    bool varies = false;
    bool is_mixed = false;  // some values are missing, others known, and missing values count in scores
    double low = 0.0, high = 0.0;
    std::int32_t n_levels = 0;

    // Whether some question about the column could separate rows.
    bool competes() const { return varies || is_mixed; }
};

// A threshold, or the levels of branch 0 among those present.
struct RandomQuestion {
    double cut = 0.0;
    std::vector<bool> inside;
};

QuestionRange question_range(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
RandomQuestion sample_question(const Scoring& s, const QuestionRange& range, std::int32_t column, Stream& stream);
// Null: the column has one known value, and only whether it is missing is asked.
Candidate score_question(const Scoring& s, const NodeView& node, std::int32_t column, const RandomQuestion* drawn,
                         Scratch& scratch);

// From the sums per code in `scratch.codes`, which are emptied. A cut that falls into a bin is moved to its end.
QuestionRange range_in_table(const Scoring& s, std::int32_t column, Scratch& scratch);
Candidate score_in_table(const Scoring& s, const NodeView& node, std::int32_t column, const RandomQuestion* drawn,
                         Scratch& scratch);

}  // namespace hornbeam
