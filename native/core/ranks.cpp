// Ranks and codes of columns (ranks.hpp).
#include "core/ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "core/digit_sort.hpp"
#include "core/keys.hpp"
#include "core/portable.hpp"

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

constexpr std::uint16_t NONE = 0xFFFF;

// Hash table of the distinct values, numbered in the order of their first row.
class Seen {
  public:
    Seen() { codes_.fill(NONE); }
    // The number of a value; NONE if there are too many distinct values.
    std::uint16_t of(double x) {
        const std::uint64_t key = ordered_bits(x);
        for (std::size_t at = (key * 0x9E3779B97F4A7C15ULL) >> (64 - BITS);; at = (at + 1) % SIZE) {
            if (codes_[at] == NONE) return add(at, key, x);
            if (keys_[at] == key) return codes_[at];
        }
    }
    const std::vector<double>& values() const { return values_; }

  private:
    static constexpr int BITS = 10;
    static constexpr std::size_t SIZE = std::size_t{1} << BITS;

    std::uint16_t add(std::size_t at, std::uint64_t key, double x) {
        if (values_.size() == MAX_CODES) return NONE;
        keys_[at] = key;
        codes_[at] = static_cast<std::uint16_t>(values_.size());
        values_.push_back(x + 0.0);
        return codes_[at];
    }

    std::array<std::uint64_t, SIZE> keys_;
    std::array<std::uint16_t, SIZE> codes_;
    std::vector<double> values_;
};

// Writes the codes 0 and 1 of the lower and the higher of two values; false if the column has a third value.
HORNBEAM_CLONES bool two_codes(const double* reals, std::int64_t n, double low, double high, std::uint8_t* codes) {
    constexpr std::int64_t BLOCK = 1024;
    for (std::int64_t begin = 0; begin < n; begin += BLOCK) {
        std::int64_t fits = 0;
        const std::int64_t end = std::min(n, begin + BLOCK);
        for (std::int64_t i = begin; i < end; ++i) fits += (reals[i] == low) | (reals[i] == high);
        if (fits != end - begin) return false;
        for (std::int64_t i = begin; i < end; ++i) codes[i] = reals[i] == high;
    }
    return true;
}

// Columns with two values are common (one-hot codes) and need no hash table.
bool two_values(const double* reals, std::int64_t n, ReadyColumn& out) {
    const double first = reals[0];
    const double* other = std::find_if(reals, reals + n, [&](double x) { return x != first; });
    if (other == reals + n || std::isnan(first) || std::isnan(*other)) return false;
    const double low = std::min(first, *other), high = std::max(first, *other);
    Codes codes = packed<std::uint8_t>(n, [](std::int64_t) { return 0; });
    if (!two_codes(reals, n, low, high, codes.data.get())) return false;
    out.codes = std::move(codes);
    out.n_codes = 2;
    out.values = {low + 0.0, high + 0.0};
    return true;
}

// Fills the values and codes of a numeric column in one pass with a small hash table; returns false and leaves `out`
// unchanged if the column has more than MAX_CODES distinct values, which its first few hundred rows show.
bool few_values(const double* reals, std::int64_t n_rows, ReadyColumn& out) {
    if (n_rows > 0 && two_values(reals, n_rows, out)) return true;
    Seen seen;
    std::vector<std::uint16_t> number;
    number.reserve(std::min<std::int64_t>(n_rows, 4096));
    for (std::int64_t row = 0; row < n_rows; ++row) {
        const bool known = !std::isnan(reals[row]);
        const std::uint16_t code = known ? seen.of(reals[row]) : NONE;
        if (known && code == NONE) return false;
        number.push_back(code);
    }
    const auto m = static_cast<std::uint32_t>(seen.values().size());
    std::vector<std::uint16_t> order(m), rank(m);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return seen.values()[a] < seen.values()[b]; });
    out.n_codes = m;
    for (std::uint32_t i = 0; i < m; ++i) {
        rank[order[i]] = static_cast<std::uint16_t>(i);
        out.values.push_back(seen.values()[order[i]]);
    }
    out.codes = packed_for(m, n_rows, [&](std::int64_t i) { return number[i] == NONE ? m : rank[number[i]]; });
    out.has_missing = std::find(number.begin(), number.end(), NONE) != number.end();
    return true;
}

}  // namespace

ReadyColumn ranked(const double* reals, std::int64_t n_rows, bool keep_values) {
    ReadyColumn out;
    if (few_values(reals, n_rows, out)) return out;
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
