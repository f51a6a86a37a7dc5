// Where is the best cut of a column of few codes?  The statistics of every code present at the node are added in the
// order of the codes, by the same kernels as single rows (searches/cut_kernels.hpp).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// What the rows of a node sum to for every code of a column, in units.
struct CodeTable {
    int width = 0;
    std::vector<std::int64_t> counts;  // `width` a code: class weights, or (weight, sum)
    std::vector<std::int64_t> second_counts;
    std::vector<std::int64_t> rows;      // of a code
    std::vector<std::uint64_t> seen;     // a bit a code
    std::vector<std::uint32_t> present;  // codes, ascending
    std::int64_t known = 0;              // rows that have a code

    std::int64_t* of(std::uint32_t code) { return counts.data() + static_cast<std::size_t>(code) * width; }
    const std::int64_t* of(std::uint32_t code) const { return counts.data() + static_cast<std::size_t>(code) * width; }
    // Makes room for codes 0 to n_codes, the last standing for missing; everything is 0 between uses.
    void make_room(std::uint32_t n_codes, int numbers) {
        const std::size_t room = static_cast<std::size_t>(n_codes) + 1;
        width = numbers;
        if (rows.size() < room) rows.resize(room, 0);
        if (counts.size() < room * width) counts.resize(room * width, 0);
        if (seen.size() < room / 64 + 1) seen.resize(room / 64 + 1, 0);
        present.clear();
    }
    // Moves the codes whose bits are set to `present`.
    void list_seen(std::uint32_t n_codes) {
        for (std::size_t word = 0; word <= n_codes / 64; ++word) {
            for (std::uint64_t bits = seen[word]; bits != 0; bits &= bits - 1)
                present.push_back(static_cast<std::uint32_t>(word * 64 + std::countr_zero(bits)));
            seen[word] = 0;
        }
        if (!present.empty() && present.back() == n_codes) present.pop_back();
    }
    void clear(std::uint32_t n_codes) {
        const auto wipe = [&](std::uint32_t code) {
            rows[code] = 0;
            for (int k = 0; k < width; ++k) of(code)[k] = 0;
        };
        for (const std::uint32_t code : present) wipe(code);
        wipe(n_codes);
    }
};

// As `best_cut` of a sorted list; `at` is the place in `present` of the last code below the cut.
template <class Kernel, class Differs>
Cut best_code_cut(const CodeTable& table, const Kernel& whole, const Least& least, double tolerance,
                  CutScratch& scratch, const Differs& differs) {
    Cut best;
    Kernel kernel = whole;
    const double base = whole.base();
    best.score = least.start(base);
    std::int32_t count = 0;
    const auto judge = [&] {
        Cut of_batch{best.score, -1, 0};
        whole.finish(scratch, count, tolerance, of_batch);
        best.tried += count;
        if (of_batch.at >= 0) best.score = of_batch.score, best.at = scratch.at[of_batch.at];
        count = 0;
    };
    std::int64_t rows = 0;
    for (std::size_t i = 0; i + 1 < table.present.size(); ++i) {
        const std::uint32_t code = table.present[i];
        kernel.add_counts(table.of(code));
        rows += table.rows[code];
        if (rows < least.rows || !kernel.allows(least) || !differs(code, table.present[i + 1])) continue;
        if (table.known - rows < least.rows) break;
        kernel.write(scratch, count);
        scratch.rows[count] = static_cast<std::int32_t>(rows);
        scratch.at[count] = static_cast<std::int32_t>(i);
        if (++count == CutScratch::BATCH) judge();
    }
    judge();
    best.score -= base;
    return best;
}

}  // namespace hornbeam
