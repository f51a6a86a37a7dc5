// Which question about another column sends rows as the first does?  Definition 7.3; parts/missing/surrogates.py is the
// plain twin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <algorithm>

#include "nodes/block.hpp"
#include "nodes/kept_question.hpp"

namespace hornbeam {

// The weight that the first question sends to each branch, of some rows.
struct Sides {
    double weight[2] = {0, 0};
    std::int64_t rows = 0;
    double total() const { return weight[0] + weight[1]; }
    double larger() const { return weight[0] > weight[1] ? weight[0] : weight[1]; }
};

// What a column's values tell about the branches: the rows and weight of each branch at every value, ascending.
struct Agreeing {
    std::vector<double> values;  // of a cut; empty for levels
    std::vector<double> lows;    // where a value is a bin: its smallest value, `values` has the largest; else empty
    std::vector<double> held;    // two a value
    std::vector<std::int64_t> rows;
    Sides both;  // rows whose value and branch are known
    bool is_nominal = false;
    std::int32_t column = -1;
};

// The best surrogate of a column, or none: `answered` are all rows with a known branch.
std::optional<KeptQuestion> best_surrogate(const Agreeing& table, const Sides& answered, bool of_known);

// A question that agrees so far, as a surrogate; none when it is no better than following the majority.
std::optional<KeptQuestion> weighed(KeptQuestion&& question, double agreed, const Sides& both, const Sides& answered,
                                    bool of_known);

// The best cut of a sorted list in one pass. With D = weight of branch 0 below the cut - weight of branch 1 below it, a
// cut agrees in W1 + D, or turned round in W0 - D. `side` is 2 for rows of unknown branch: they only move the middle.
struct ListCut {
    std::int32_t below = -1;  // entries below the cut; -1: none is better than the majority
    bool is_flipped = false;
    std::int64_t agreed = 0;
};

template <class Entry, bool Weighted>
ListCut best_agreeing(const Entry* list, std::int32_t known, const std::uint8_t* side, const std::int64_t* weights,
                      const std::int64_t* held, std::int64_t rows) {
    constexpr std::int64_t LEAST_ROWS = 2;
    constexpr std::int64_t SIGN[3] = {1, -1, 0}, COUNTS[3] = {1, 1, 0};
    ListCut out;
    const auto slack = static_cast<std::int64_t>(1e-10 * static_cast<double>(held[0] + held[1]));
    std::int64_t best = std::max(held[0], held[1]), difference = 0, below = 0;
    for (std::int32_t i = 0; i + 1 < known; ++i) {
        const std::uint32_t row = row_of(list[i]);
        difference += SIGN[side[row]] * (Weighted ? weights[row] : 1);
        below += COUNTS[side[row]];
        const std::int64_t straight = held[1] + difference, turned = held[0] - difference;
        if (std::max(straight, turned) - best <= slack || rank_of(list[i]) == rank_of(list[i + 1])) continue;
        if (below < LEAST_ROWS || rows - below < LEAST_ROWS) continue;
        out = {i + 1, turned - best > slack, std::max(straight, turned)};
        best = out.agreed;
    }
    return out;
}

// The branch of rows that neither the question nor a surrogate decides, from the weights of both branches: the heavier
// one; -1: they stay.
std::int32_t undecided_branch(const MissingPlan& plan, double left, double right);

// Best agreement first, equal ones in the order of columns; at most so many.
void keep_best(std::vector<KeptQuestion>& found, std::size_t at_most);

}  // namespace hornbeam
