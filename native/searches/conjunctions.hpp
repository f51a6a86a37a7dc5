// Which few questions are best asked together?  A beam search over literals as bits, one a row of the node; the twin of
// parts/searches/conjunctions.py.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/data.hpp"

namespace hornbeam {

using Bits = std::vector<std::uint64_t>;

// A question about one column, or its opposite.
struct Literal {
    std::int32_t column = -1;
    const SourceColumn* source = nullptr;
    double cut = 0.0;
    std::vector<std::int32_t> branch_of;  // of every level; empty for a cut
    bool asks_missing = false;            // whether the value is missing
    bool is_negated = false;

    // The branch of a number, or the code of a level: 0 where the literal holds, -1 where that is unknown.
    std::int32_t branch(double number) const;
};

// A literal with the rows where it holds and where it does not.
struct LiteralBits {
    Literal literal;
    Bits yes, no;
};

// What a conjunction scores by where it holds and where it does not; minus infinity where a branch is too small. The
// limits on branches are not asked of single literals.
using ScoreBits = std::function<double(const Bits& yes, const Bits& no, bool is_single)>;

struct BeamPlan {
    int length = 2, beam = 5;
    double tolerance = 0.0;
};

// The places of the literals of the best conjunction of two or more, ascending; none: empty.
std::vector<int> best_conjunction(const std::vector<LiteralBits>& literals, const BeamPlan& plan,
                                  const ScoreBits& score, double& best_score);

std::int64_t count_bits(const Bits& bits);
std::int64_t count_both(const Bits& one, const Bits& other);

}  // namespace hornbeam
