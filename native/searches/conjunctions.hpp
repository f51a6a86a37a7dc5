// Beam search over conjunctions of literals, which are bit sets with one bit per row of the node. The reference
// implementation is parts/searches/conjunctions.py.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/data.hpp"

namespace hornbeam {

using Bits = std::vector<std::uint64_t>;

// A question about one column, or its negation.
struct Literal {
    std::int32_t column = -1;
    const SourceColumn* source = nullptr;
    double cut = 0.0;
    std::vector<std::int32_t> branch_of;  // per level; empty for a cut
    bool tests_missing = false;           // the question is "is missing"
    bool is_negated = false;

    // The branch of a number or of the code of a level: 0 if the literal is true, -1 if it is undefined.
    std::int32_t branch(double number) const;
};

// A literal with the rows for which it is true, and those for which it is false.
struct LiteralBits {
    Literal literal;
    Bits yes, no;
};

// Scores a conjunction from the rows for which it is true or false; minus infinity if a branch is too small. Single
// literals have no minimum size of branches.
using ScoreBits = std::function<double(const Bits& yes, const Bits& no, bool is_single)>;

struct BeamPlan {
    int length = 2, beam = 5;
    double tolerance = 0.0;
};

// The indices of the literals of the best conjunction of two or more, ascending; empty if there is none.
std::vector<int> best_conjunction(const std::vector<LiteralBits>& literals, const BeamPlan& plan,
                                  const ScoreBits& score, double& best_score);

std::int64_t count_bits(const Bits& bits);
std::int64_t count_both(const Bits& one, const Bits& other);

}  // namespace hornbeam
