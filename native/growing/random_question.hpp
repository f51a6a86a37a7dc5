// One random question per column (extremely randomized trees):
//
//   numeric, ordinal   min + u (max - min); min if that is not below max
//   nominal            each present level is in branch 0 with probability 1/2; again if all are in one branch
//
// Values are read from the source column: a random cut needs no order, so columns are neither sorted nor partitioned.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "nodes/scoring.hpp"
#include "nodes/scratch.hpp"

namespace hornbeam {

// The range from which a question is sampled: that of the values, or the number of present levels.
struct QuestionRange {
    bool varies = false;
    bool is_mixed = false;  // some values are missing, others known, and missing values count in scores
    double low = 0.0, high = 0.0;
    std::int32_t n_levels = 0;

    // Whether a question about the column can separate rows.
    bool competes() const { return varies || is_mixed; }
};

// A threshold, or the levels of branch 0 among those present.
struct RandomQuestion {
    double cut = 0.0;
    std::vector<bool> inside;
};

QuestionRange question_range(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch);
RandomQuestion sample_question(const Scoring& s, const QuestionRange& range, std::int32_t column, Stream& stream);
// `sampled` is null if the column has one known value: only "is missing" is scored.
Candidate score_question(const Scoring& s, const NodeView& node, std::int32_t column, const RandomQuestion* sampled,
                         Scratch& scratch);

// The same from the sums per code in `scratch.codes`, which are cleared. A cut inside a bin is moved to its end.
QuestionRange range_in_table(const Scoring& s, std::int32_t column, Scratch& scratch);
Candidate score_in_table(const Scoring& s, const NodeView& node, std::int32_t column, const RandomQuestion* sampled,
                         Scratch& scratch);

}  // namespace hornbeam
