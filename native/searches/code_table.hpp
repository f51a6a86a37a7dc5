// CodeTable: the statistics per code of a column at a node, and the best cut between codes: the statistics are added in
// the order of the codes by the same kernels as single rows (searches/cut_kernels.hpp).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// The sums of the rows of a node per code of a column, in units.
struct CodeTable {
    int width = 0;
    std::vector<std::int64_t> counts;  // `width` per code: class weights, or (weight, sum)
    std::vector<std::int64_t> second_counts;
    std::vector<std::int64_t> rows;      // per code
    std::vector<std::uint64_t> seen;     // one bit per code
    std::vector<std::uint32_t> present;  // codes, ascending
    std::int64_t known = 0;              // number of rows with a code

    std::int64_t* of(std::uint32_t code) { return counts.data() + static_cast<std::size_t>(code) * width; }
    const std::int64_t* of(std::uint32_t code) const { return counts.data() + static_cast<std::size_t>(code) * width; }
    // Reserves codes 0 to n_codes, the last for missing values; all entries are 0 between uses.
    void reserve(std::uint32_t n_codes, int numbers) {
        const std::size_t size = static_cast<std::size_t>(n_codes) + 1;
        width = numbers;
        if (rows.size() < size) rows.resize(size, 0);
        if (counts.size() < size * width) counts.resize(size * width, 0);
        if (seen.size() < size / 64 + 1) seen.resize(size / 64 + 1, 0);
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
        const auto wipe = [&](int numbers) {
            const auto wipe_code = [&](std::uint32_t code) {
                rows[code] = 0;
                for (int k = 0; k < numbers; ++k) of(code)[k] = 0;
            };
            for (const std::uint32_t code : present) wipe_code(code);
            wipe_code(n_codes);
        };
        // Two numbers are two stores, any number of them a call of memset.
        width == 2 ? wipe(2) : wipe(width);
    }
};

// As `best_cut` of a sorted list; `at` is the index in `present` of the last code below the cut.
template <class Kernel, class Differs>
Cut best_code_cut(const CodeTable& table, const Kernel& whole, const MinSize& min_size, double tolerance,
                  CutScratch& scratch, const Differs& differs) {
    Cut best;
    Kernel kernel = whole;
    const double base = whole.base();
    best.score = min_size.start(base);
    std::int32_t count = 0;
    const auto score_batch = [&] {
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
        if (rows < min_size.rows || !kernel.allows(min_size) || !differs(code, table.present[i + 1])) continue;
        if (table.known - rows < min_size.rows) break;
        kernel.write(scratch, count);
        scratch.rows[count] = static_cast<std::int32_t>(rows);
        scratch.at[count] = static_cast<std::int32_t>(i);
        if (++count == CutScratch::BATCH) score_batch();
    }
    score_batch();
    best.score -= base;
    return best;
}

}  // namespace hornbeam
