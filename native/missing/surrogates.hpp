// The best surrogate about a column: the question that assigns most rows as the node's question does (definition 7.3).
// The reference implementation is parts/missing/surrogates.py.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <algorithm>

#include "nodes/block.hpp"
#include "nodes/kept_question.hpp"

namespace hornbeam {

// The number of some rows, and their weight per branch of the node's question.
struct Sides {
    double weight[2] = {0, 0};
    std::int64_t rows = 0;
    double total() const { return weight[0] + weight[1]; }
    double larger() const { return weight[0] > weight[1] ? weight[0] : weight[1]; }
};

// The rows and the weight per branch of each value of a column, ascending.
struct AgreementCounts {
    std::vector<double> values;         // for cuts; empty for levels
    std::vector<double> lows;           // bins: the smallest value of each, `values` are the largest; else empty
    std::vector<double> branch_weight;  // weight of both branches, per value
    std::vector<std::int64_t> rows;
    Sides both;  // rows with known value and branch
    bool is_nominal = false;
    std::int32_t column = -1;
};

// The best surrogate of a column, or none. `decided` are all rows with a known branch.
std::optional<KeptQuestion> best_surrogate(const AgreementCounts& table, const Sides& decided, bool of_known);

// A question with its agreement as a surrogate; none if it is no better than the majority branch.
std::optional<KeptQuestion> as_surrogate(KeptQuestion&& question, double agreed, const Sides& both,
                                         const Sides& decided, bool of_known);

// The best cut of a sorted list in one pass. With D = weight of branch 0 - weight of branch 1 below the cut, the
// agreement of a cut is W1 + D, or flipped W0 - D. `side` is 2 for rows of unknown branch, which only affect the
// midpoint.
struct ListCut {
    std::int32_t below = -1;  // entries below the cut; -1: none is better than the majority branch
    bool is_flipped = false;
    std::int64_t agreed = 0;
};

template <class Entry, bool Weighted>
ListCut best_agreeing(const Entry* list, std::int32_t known, const std::uint8_t* side, const std::int64_t* weights,
                      const std::int64_t* branch_weight, std::int64_t rows) {
    constexpr std::int64_t MIN_ROWS = 2;
    constexpr std::int64_t SIGN[3] = {1, -1, 0}, COUNTS[3] = {1, 1, 0};
    ListCut out;
    const auto slack = static_cast<std::int64_t>(1e-10 * static_cast<double>(branch_weight[0] + branch_weight[1]));
    std::int64_t best = std::max(branch_weight[0], branch_weight[1]), difference = 0, below = 0;
    for (std::int32_t i = 0; i + 1 < known; ++i) {
        const std::uint32_t row = row_of(list[i]);
        difference += SIGN[side[row]] * (Weighted ? weights[row] : 1);
        below += COUNTS[side[row]];
        const std::int64_t straight = branch_weight[1] + difference, flipped = branch_weight[0] - difference;
        if (std::max(straight, flipped) - best <= slack || rank_of(list[i]) == rank_of(list[i + 1])) continue;
        if (below < MIN_ROWS || rows - below < MIN_ROWS) continue;
        out = {i + 1, flipped - best > slack, std::max(straight, flipped)};
        best = out.agreed;
    }
    return out;
}

// The branch of rows that neither the question nor a surrogate decides: that of larger weight; -1: they stay.
std::int32_t undecided_branch(const MissingPlan& plan, double left, double right);

// Sorts by agreement, ties in the order of columns, and keeps the first `at_most`.
void keep_best(std::vector<KeptQuestion>& found, std::size_t at_most);

}  // namespace hornbeam
