// Where is the best cut when missing values may go either way?  Two kernels run side by side: to one of them all
// missing rows were added first, so it sees them below every cut. Each cut is written twice, first with missing values
// on the side of larger known weight (below on ties): the first best then decides ties as definition 0.3 says.
//
// `Cut::at` of the result is twice the place of the cut, plus the branch of missing values.
#pragma once

#include <cstdint>
#include <type_traits>

#include "searches/code_table.hpp"
#include "searches/cut_kernels.hpp"

namespace hornbeam {

// The rows of a node, and those of them without a value.
struct RowsOfColumn {
    std::int64_t all, missing, known_weight;
};

// Collects candidates and judges them batch by batch.
template <class Kernel>
class BothWays {
  public:
    BothWays(Kernel& above, Kernel& below, const RowsOfColumn& rows, const CutRule& limits, CutScratch& scratch)
        : above_(above), below_(below), rows_(rows), limits_(limits), scratch_(scratch) {
        best_.score = limits.least.start(above.base());
    }
    void add(std::uint32_t row) {
        above_.add(row);
        below_.add(row);
    }
    void add_counts(const std::int64_t* counts) {
        above_.add_counts(counts);
        below_.add_counts(counts);
    }
    // A cut with so many known rows and so much known weight below it; true for both sides of missing values, or a bit
    // per side that is tried.
    template <class Sides>
    void offer(std::int32_t place, std::int64_t rows, std::int64_t weight, Sides sides) {
        const bool below_first = 2 * weight >= rows_.known_weight;
        for (const int side : {below_first ? 0 : 1, below_first ? 1 : 0}) {
            Kernel& kernel = side == 0 ? below_ : above_;
            const std::int64_t left = rows + (side == 0 ? rows_.missing : 0);
            const Least& least = limits_.least;
            if constexpr (!std::is_same_v<Sides, bool>)
                if (!(sides >> side & 1)) continue;
            if (left < least.rows || rows_.all - left < least.rows || !kernel.allows(least)) continue;
            kernel.write(scratch_, count_);
            scratch_.rows[count_] = static_cast<std::int32_t>(left);
            scratch_.at[count_++] = 2 * place + side;
        }
        if (count_ + 2 > CutScratch::BATCH) judge();
    }
    Cut found() {
        judge();
        best_.score -= above_.base();
        return best_;
    }

  private:
    void judge() {
        Cut of_batch{best_.score, -1, 0};
        above_.finish(scratch_, count_, limits_.tolerance, of_batch);
        best_.tried += count_;
        if (of_batch.at >= 0) best_.score = of_batch.score, best_.at = scratch_.at[of_batch.at];
        count_ = 0;
    }

    Kernel &above_, &below_;
    RowsOfColumn rows_;
    CutRule limits_;
    CutScratch& scratch_;
    Cut best_;
    std::int32_t count_ = 0;
};

// `sides_of(a, b)`: whether the cut between two neighbours is tried, or a bit per side of missing values that is.
template <class Entry, class Kernel, class SidesOf>
Cut best_cut_both(const Entry* list, std::int32_t known, const std::int64_t* weights, BothWays<Kernel>&& offers,
                  const SidesOf& sides_of) {
    std::int64_t weight = 0;
    Entry next = list[0];
    for (std::int32_t i = 0; i + 1 < known; ++i) {
        const Entry here = next;
        next = list[i + 1];
        offers.add(row_of(here));
        weight += weights ? weights[row_of(here)] : 1;
        if (rank_of(here) == rank_of(next)) continue;
        if (const auto sides = sides_of(here, next)) offers.offer(i + 1, i + 1, weight, sides);
    }
    return offers.found();
}

template <class Kernel, class Weight, class SidesOf>
Cut best_code_cut_both(const CodeTable& table, const Weight& weight_of, BothWays<Kernel>&& offers,
                       const SidesOf& sides_of) {
    std::int64_t rows = 0, weight = 0;
    for (std::size_t i = 0; i + 1 < table.present.size(); ++i) {
        const std::uint32_t code = table.present[i];
        offers.add_counts(table.of(code));
        rows += table.rows[code];
        weight += weight_of(table.of(code));
        if (const auto sides = sides_of(code, table.present[i + 1]))
            offers.offer(static_cast<std::int32_t>(i), rows, weight, sides);
    }
    return offers.found();
}

}  // namespace hornbeam
