// Ranks and codes of columns (ranks.hpp).
#include "core/ranks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "core/digit_sort.hpp"
#include "core/few_values.hpp"
#include "core/keys.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t MAX_COMPARISON_SORT = 512;  // up to this many words std::sort is faster

}  // namespace

// The lower halves are ascending row numbers, so comparing whole words gives the order of a stable sort.
void sort_words(std::uint64_t* words, std::int64_t n) {
    if (n <= MAX_COMPARISON_SORT) return std::sort(words, words + n);
    const std::unique_ptr<std::uint64_t[]> spare(new std::uint64_t[n]);
    const std::uint64_t* sorted = sort_by_digits<32>(words, spare.get(), n, [](std::uint64_t word) { return word; });
    if (sorted != words) std::copy(sorted, sorted + n, words);
}

namespace {

std::uint32_t row_in(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

// Replaces words that are sorted by the upper halves of their keys with (rank, row), ranked by whole keys. Returns the
// number of ranks.
std::uint32_t set_ranks(std::uint64_t* words, std::int64_t n, const double* reals) {
    std::uint32_t rank = 0;
    for (std::int64_t begin = 0, end = 0; begin < n; begin = end) {
        const std::uint64_t upper = words[begin] >> 32;
        for (end = begin + 1; end < n && words[end] >> 32 == upper;) ++end;
        if (end - begin == 1) {
            words[begin] = (static_cast<std::uint64_t>(rank++) << 32) | row_in(words[begin]);
            continue;
        }
        for (std::int64_t i = begin; i < end; ++i)
            words[i] = (ordered_bits(reals[row_in(words[i])]) << 32) | row_in(words[i]);
        if (!std::is_sorted(words + begin, words + end)) sort_words(words + begin, end - begin);
        std::uint64_t lower = words[begin] >> 32;
        for (std::int64_t i = begin; i < end; ++i) {
            rank += words[i] >> 32 != lower;
            lower = words[i] >> 32;
            words[i] = (static_cast<std::uint64_t>(rank) << 32) | row_in(words[i]);
        }
        ++rank;
    }
    return rank;
}

// The number of codes that are 1 in a column of two codes. A table of counters would be slower: consecutive increments
// of the same counter depend on each other.
template <class Code>
std::int64_t ones(const Code* codes, std::int64_t n) {
    constexpr std::int64_t BLOCK = 128;
    std::int64_t sum = 0;
    for (std::int64_t begin = 0; begin < n; begin += BLOCK) {
        Code part = 0;
        for (std::int64_t i = begin; i < std::min(n, begin + BLOCK); ++i) part = static_cast<Code>(part + codes[i]);
        sum += part;
    }
    return sum;
}

// Lists the rows that do not have the common code; blocks of eight rows that all have it are skipped.
template <class Code>
void list_others(const Code* codes, std::int64_t n, std::uint32_t common, std::vector<std::uint64_t>& out) {
    constexpr std::int64_t STEP = 8;
    const Code usual = static_cast<Code>(common);
    for (std::int64_t begin = 0; begin < n; begin += STEP) {
        const std::int64_t end = std::min(n, begin + STEP);
        std::uint32_t differs = 0;
        for (std::int64_t i = begin; i < end; ++i) differs |= static_cast<std::uint32_t>(codes[i] ^ usual);
        for (std::int64_t i = begin; differs != 0 && i < end; ++i)
            if (codes[i] != usual)
                out.push_back(static_cast<std::uint64_t>(codes[i]) << 32 | static_cast<std::uint64_t>(i));
    }
}

}  // namespace

ReadyColumn ranked(const double* reals, std::int64_t n_rows, bool keep_values) {
    ReadyColumn out;
    if (few_values(reals, n_rows, MAX_CODES, out)) return out;
    out.is_listed = true;
    out.sorted.resize(n_rows);
    std::int64_t known = 0, last = n_rows;
    for (std::int64_t row = 0; row < n_rows; ++row)
        if (!std::isnan(reals[row])) out.sorted[known++] = (ordered_bits(reals[row]) >> 32 << 32) | row;
    out.has_missing = known < n_rows;
    for (std::int64_t row = n_rows; out.has_missing && row-- > 0;)
        if (std::isnan(reals[row])) out.sorted[--last] = (static_cast<std::uint64_t>(ReadyColumn::NO_RANK) << 32) | row;
    sort_words(out.sorted.data(), known);
    out.n_codes = set_ranks(out.sorted.data(), known, reals);
    if (keep_values) {
        out.values.resize(out.n_codes);
        for (std::int64_t i = 0; i < known; ++i) out.values[out.sorted[i] >> 32] = reals[row_in(out.sorted[i])] + 0.0;
    }
    return out;
}

ReadyColumn coded(const SourceColumn& column, std::int64_t n_rows) {
    ReadyColumn out;
    out.kind = column.kind;
    out.n_codes = static_cast<std::uint32_t>(column.n_levels);
    out.has_missing = std::any_of(column.codes, column.codes + n_rows, [](std::int32_t code) { return code < 0; });
    out.codes = packed_for(out.n_codes, n_rows, [&](std::int64_t row) {
        const std::int32_t code = column.codes[row];
        return code < 0 ? out.n_codes : static_cast<std::uint32_t>(code);
    });
    if (column.kind == Kind::ordinal) {
        std::vector<bool> is_present(out.n_codes, false);
        for (std::int64_t row = 0; row < n_rows; ++row)
            if (column.codes[row] >= 0) is_present[column.codes[row]] = true;
        for (std::uint32_t code = 0; code < out.n_codes; ++code)
            if (is_present[code]) out.values.push_back(code);
    }
    return out;
}

void make_sparse(ReadyColumn& column, std::int64_t n_rows) {
    constexpr std::uint32_t MAX_SPARSE_CODES = 65535;  // codes that fit next to a row in the entries of small blocks
    if (column.codes.bytes == 0 || column.n_codes >= MAX_SPARSE_CODES) return;
    std::vector<std::int64_t> rows(column.n_codes + 1, 0);
    with_codes(column.codes, [&](const auto* codes) {
        if (column.n_codes == 2 && !column.has_missing)
            rows = {n_rows - ones(codes, n_rows), ones(codes, n_rows), 0};
        else
            for (std::int64_t row = 0; row < n_rows; ++row) ++rows[codes[row]];
        const auto commonest = std::max_element(rows.begin(), rows.end());
        // An entry costs about twice as much as a code; a column of two codes is searched without a table.
        if (column.n_codes > 2 && 3 * *commonest < 2 * n_rows) return;
        column.is_sparse = true;
        column.common = static_cast<std::uint32_t>(commonest - rows.begin());
        column.sorted.reserve(n_rows - *commonest);
        list_others(codes, n_rows, column.common, column.sorted);
    });
    if (column.is_sparse) column.codes = {};
}

}  // namespace hornbeam
