// Kept columns (kept_column.hpp).
#include "core/kept_column.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/ranks.hpp"

namespace hornbeam {
namespace {

constexpr std::uint32_t FIRST_OF_VALUE = 0x80000000u;  // row numbers are below 2^31
constexpr std::uint64_t MISSING_RANK = static_cast<std::uint64_t>(ReadyColumn::NO_RANK) << 32;

Codes copied(const Codes& from, std::int64_t n_rows) {
    return codes_of_rows(from, n_rows, [](std::int64_t row) { return row; });
}

// The first result that is published is kept by all threads; the others drop theirs.
template <class T>
const T& published(std::atomic<const T*>& place, std::unique_ptr<T> made) {
    const T* expected = nullptr;
    if (place.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *expected;
}

}  // namespace

ChosenRows::ChosenRows(const std::uint32_t* rows, std::int64_t n, std::int64_t n_table_rows, bool is_node)
    : rows_(rows, rows + n), position_(static_cast<std::size_t>(n_table_rows), NOT_CHOSEN), is_node_(is_node) {
    for (std::int64_t i = 0; i < n; ++i) {
        if (rows[i] >= n_table_rows || position_[rows[i]] != NOT_CHOSEN)
            throw std::invalid_argument("Rows must be different and below the number of rows.");
        position_[rows[i]] = static_cast<std::uint32_t>(i);
        is_ascending_ &= i == 0 || rows[i - 1] < rows[i];
    }
}

struct KeptColumn::Form {
    ReadyColumn facts;                 // codes and values; the list of a listed column is in `order`
    std::vector<std::uint32_t> order;  // rows by value, then row; those without a value last
    std::int64_t n_known = 0;
};

KeptColumn::KeptColumn(const SourceColumn& source, std::int64_t n_rows) : source_(source), n_rows_(n_rows) {}

KeptColumn::~KeptColumn() {
    delete form_.load(std::memory_order_acquire);
    delete sparse_.load(std::memory_order_acquire);
}

const KeptColumn::Form& KeptColumn::form() const {
    if (const Form* found = form_.load(std::memory_order_acquire)) return *found;
    auto made = std::make_unique<Form>();
    if (source_.kind == Kind::numeric) {
        std::unique_ptr<double[]> buffer;
        made->facts = ranked(source_.reals.in_a_row(n_rows_, buffer), n_rows_, false);
    } else {
        made->facts = coded(source_, n_rows_);
    }
    const std::vector<std::uint64_t>& sorted = made->facts.sorted;
    made->order.resize(sorted.size());
    std::uint64_t before = MISSING_RANK;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::uint64_t rank = sorted[i] >> 32 << 32;
        made->n_known += rank != MISSING_RANK;
        made->order[i] = static_cast<std::uint32_t>(sorted[i]) | (rank != before ? FIRST_OF_VALUE : 0);
        before = rank;
    }
    std::vector<std::uint64_t>().swap(made->facts.sorted);
    return published(form_, std::move(made));
}

const ReadyColumn& KeptColumn::sparse() const {
    if (const ReadyColumn* found = sparse_.load(std::memory_order_acquire)) return *found;
    auto made = std::make_unique<ReadyColumn>();
    const ReadyColumn& facts = form().facts;
    made->n_codes = facts.n_codes;
    made->has_missing = facts.has_missing;
    made->codes = copied(facts.codes, n_rows_);
    make_sparse(*made, n_rows_);
    made->codes = {};
    return published(sparse_, std::move(made));
}

std::int64_t KeptColumn::n_bytes() const {
    std::int64_t sum = 0;
    if (const Form* form = form_.load(std::memory_order_acquire))
        sum += 4 * static_cast<std::int64_t>(form->order.size()) + form->facts.codes.bytes * n_rows_;
    if (const ReadyColumn* sparse = sparse_.load(std::memory_order_acquire))
        sum += 8 * static_cast<std::int64_t>(sparse->sorted.size());
    return sum;
}

namespace {

ReadyColumn facts_of(const ReadyColumn& from) {
    ReadyColumn out;
    out.kind = from.kind;
    out.is_listed = from.is_listed;
    out.has_missing = from.has_missing;
    out.n_codes = from.n_codes;
    out.values = from.values;
    return out;
}

// The list of all rows.
void expand(const std::vector<std::uint32_t>& order, std::int64_t n_known, ReadyColumn& out) {
    out.sorted.resize(order.size());
    std::uint64_t rank = 0;
    rank -= 1;
    for (std::int64_t i = 0; i < n_known; ++i) {
        rank += order[i] >> 31;
        out.sorted[i] = rank << 32 | (order[i] & ~FIRST_OF_VALUE);
    }
    for (std::size_t i = n_known; i < order.size(); ++i) out.sorted[i] = MISSING_RANK | (order[i] & ~FIRST_OF_VALUE);
}

// The entries of the chosen rows, ranked among themselves; returns the number of ranks and sets that of the entries.
// Every entry is written and the next one overwrites it unless its row was chosen: no branch depends on the rows.
std::uint32_t filter(const std::uint32_t* order, std::int64_t n, const std::uint32_t* position, std::uint64_t* out,
                     std::int64_t& kept) {
    std::uint32_t value = 0, last = 0, rank = 0;  // values are numbered from 1; ranks among the chosen rows as well
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        value += order[i] >> 31;
        const std::uint32_t row = position[order[i] & ~FIRST_OF_VALUE];
        const bool is_chosen = row != ChosenRows::NOT_CHOSEN;
        rank += is_chosen & (value != last);
        last = is_chosen ? value : last;
        out[at] = static_cast<std::uint64_t>(rank - 1) << 32 | row;
        at += is_chosen;
    }
    kept = at;
    return rank;
}

// Entries of one rank are in the order of the rows, as after a stable sort; only rows in another order need it.
void sort_ranks(std::uint64_t* list, std::int64_t n) {
    for (std::int64_t begin = 0, end = 0; begin < n; begin = end) {
        for (end = begin + 1; end < n && list[end] >> 32 == list[begin] >> 32;) ++end;
        if (end - begin > 1 && !std::is_sorted(list + begin, list + end)) std::sort(list + begin, list + end);
    }
}

// The values of a listed column in the order of their ranks.
void add_values(const Reals& reals, std::int64_t n_known, ReadyColumn& out) {
    out.values.resize(out.n_codes);
    for (std::int64_t i = n_known; i-- > 0;) out.values[out.sorted[i] >> 32] = reals[out.sorted[i] & 0xFFFFFFFFu] + 0.0;
}

// The different values of all rows, ascending.
std::vector<double> all_values(const std::vector<std::uint32_t>& order, std::int64_t n_known, const Reals& reals) {
    std::vector<double> out;
    for (std::int64_t i = 0; i < n_known; ++i)
        if (order[i] >> 31) out.push_back(reals[order[i] & ~FIRST_OF_VALUE] + 0.0);
    return out;
}

// A list of few values becomes codes, as `ranked` makes them.
void make_coded(ReadyColumn& column) {
    const auto n = static_cast<std::int64_t>(column.sorted.size());
    std::vector<std::uint16_t> codes(n);
    for (const std::uint64_t item : column.sorted)
        codes[item & 0xFFFFFFFFu] = static_cast<std::uint16_t>(std::min<std::uint64_t>(item >> 32, column.n_codes));
    column.codes = packed_for(column.n_codes, n, [&](std::int64_t row) { return codes[row]; });
    column.is_listed = false;
    std::vector<std::uint64_t>().swap(column.sorted);
}

// The codes of the rows of a node; all codes of the column stay.
ReadyColumn codes_of_node(const ReadyColumn& from, const ChosenRows& rows) {
    ReadyColumn out = facts_of(from);
    out.codes = codes_of_rows(from.codes, rows.size(), [&](std::int64_t i) { return rows.rows()[i]; });
    return out;
}

// The codes of the chosen rows, numbered among themselves.
ReadyColumn coded_rows(const ReadyColumn& from, const ChosenRows& rows) {
    ReadyColumn out;
    std::vector<std::uint32_t> number(from.n_codes + 1, 0);
    with_codes(from.codes, [&](const auto* codes) {
        for (std::int64_t i = 0; i < rows.size(); ++i) number[codes[rows.rows()[i]]] = 1;
        out.has_missing = number[from.n_codes] != 0;
        for (std::uint32_t code = 0; code < from.n_codes; ++code) {
            const bool is_present = number[code] != 0;
            number[code] = out.n_codes;
            out.n_codes += is_present;
            if (is_present) out.values.push_back(from.values[code]);
        }
        number[from.n_codes] = out.n_codes;
        out.codes = packed_for(out.n_codes, rows.size(), [&](std::int64_t i) { return number[codes[rows.rows()[i]]]; });
    });
    return out;
}

}  // namespace

ReadyColumn KeptColumn::ready(bool keep_values, bool may_be_sparse) const {
    const Form& from = form();
    ReadyColumn out = facts_of(from.facts);
    if (out.is_listed) {
        expand(from.order, from.n_known, out);
        if (keep_values) add_values(source_.reals, from.n_known, out);
        return out;
    }
    if (may_be_sparse && sparse().is_sparse) {
        out.is_sparse = true;
        out.common = sparse().common;
        out.sorted = sparse().sorted;
        return out;
    }
    out.codes = copied(from.facts.codes, n_rows_);
    return out;
}

ReadyColumn KeptColumn::ready(const ChosenRows& rows, bool keep_values) const {
    const Form& from = form();
    if (!from.facts.is_listed) return rows.is_node() ? codes_of_node(from.facts, rows) : coded_rows(from.facts, rows);
    ReadyColumn out = facts_of(from.facts);
    out.sorted.resize(rows.size() + 1);  // one more: the last entry that is not chosen is written behind the list
    std::int64_t known = 0, missing = 0;
    out.n_codes = filter(from.order.data(), from.n_known, rows.position(), out.sorted.data(), known);
    const auto n_missing = static_cast<std::int64_t>(from.order.size()) - from.n_known;
    filter(from.order.data() + from.n_known, n_missing, rows.position(), out.sorted.data() + known, missing);
    out.sorted.resize(rows.size());
    for (std::int64_t i = known; i < known + missing; ++i) out.sorted[i] = MISSING_RANK | (out.sorted[i] & 0xFFFFFFFFu);
    out.has_missing = missing > 0;
    if (!rows.is_ascending()) sort_ranks(out.sorted.data(), rows.size());
    if (rows.is_node()) {
        if (keep_values) out.values = all_values(from.order, from.n_known, source_.reals);
        return out;
    }
    const bool is_few = out.n_codes <= MAX_CODES;
    if (keep_values || is_few) add_values(source_.reals.at(rows.rows()), known, out);
    if (is_few) make_coded(out);
    return out;
}

}  // namespace hornbeam
