// MissingDirectionSearch: finds the best cut if missing values may take either branch. Two kernels add the same rows;
// one starts with all missing rows, so it counts them below every cut. Each cut is scored twice, first with missing
// values on the side of larger known weight (below on ties): the first best decides ties (definition 0.3).
//
// `Cut::at` of the result is twice the index of the cut, plus the branch of missing values.
#pragma once

#include <cstdint>
#include <type_traits>

#include "searches/code_table.hpp"
#include "searches/cut_kernels.hpp"

namespace hornbeam {

// The number of rows of a node and of those with a missing value, and the weight of the others.
struct RowsOfColumn {
    std::int64_t all, missing, known_weight;
};

// Collects cuts and scores them in batches.
template <class Kernel>
class MissingDirectionSearch {
  public:
    MissingDirectionSearch(Kernel& above, Kernel& below, const RowsOfColumn& rows, const CutRule& limits,
                           CutScratch& scratch)
        : above_(above), below_(below), rows_(rows), limits_(limits), scratch_(scratch) {
        best_.score = limits.min_size.start(above.base());
    }
    void add(std::uint32_t row) {
        above_.add(row);
        below_.add(row);
    }
    void add_counts(const std::int64_t* counts) {
        above_.add_counts(counts);
        below_.add_counts(counts);
    }
    // Adds a cut with known rows and their weight below it; `sides` are those of missing values to try, as in sides_of.
    template <class Sides>
    void add_cut(std::int32_t index, std::int64_t rows, std::int64_t weight, Sides sides) {
        const bool below_first = 2 * weight >= rows_.known_weight;
        for (const int side : {below_first ? 0 : 1, below_first ? 1 : 0}) {
            Kernel& kernel = side == 0 ? below_ : above_;
            const std::int64_t left = rows + (side == 0 ? rows_.missing : 0);
            const MinSize& min_size = limits_.min_size;
            if constexpr (!std::is_same_v<Sides, bool>)
                if (!(sides >> side & 1)) continue;
            if (left < min_size.rows || rows_.all - left < min_size.rows || !kernel.allows(min_size)) continue;
            kernel.write(scratch_, count_);
            scratch_.rows[count_] = static_cast<std::int32_t>(left);
            scratch_.at[count_++] = 2 * index + side;
        }
        if (count_ + 2 > CutScratch::BATCH) score_batch();
    }
    Cut found() {
        score_batch();
        best_.score -= above_.base();
        return best_;
    }

  private:
    void score_batch() {
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

// `sides_of(a, b)` returns whether the cut between two neighbors is tried, or a bit per side of missing values to try.
template <class Entry, class Kernel, class SidesOf>
Cut best_cut_either(const Entry* list, std::int32_t known, const std::int64_t* weights,
                    MissingDirectionSearch<Kernel>&& search, const SidesOf& sides_of) {
    std::int64_t weight = 0;
    Entry next = list[0];
    for (std::int32_t i = 0; i + 1 < known; ++i) {
        const Entry here = next;
        next = list[i + 1];
        search.add(row_of(here));
        weight += weights ? weights[row_of(here)] : 1;
        if (rank_of(here) == rank_of(next)) continue;
        if (const auto sides = sides_of(here, next)) search.add_cut(i + 1, i + 1, weight, sides);
    }
    return search.found();
}

template <class Kernel, class Weight, class SidesOf>
Cut best_code_cut_either(const CodeTable& table, const Weight& weight_of, MissingDirectionSearch<Kernel>&& search,
                         const SidesOf& sides_of) {
    std::int64_t rows = 0, weight = 0;
    for (std::size_t i = 0; i + 1 < table.present.size(); ++i) {
        const std::uint32_t code = table.present[i];
        search.add_counts(table.of(code));
        rows += table.rows[code];
        weight += weight_of(table.of(code));
        if (const auto sides = sides_of(code, table.present[i + 1]))
            search.add_cut(static_cast<std::int32_t>(i), rows, weight, sides);
    }
    return search.found();
}

}  // namespace hornbeam
