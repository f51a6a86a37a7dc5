#include "missing/node_surrogates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/midpoint.hpp"
#include "missing/surrogates.hpp"

namespace hornbeam {
namespace {

constexpr std::uint8_t UNKNOWN_SIDE = 2;

double weight_of(const AnyBlock& block, std::uint32_t row) { return static_cast<double>(block.weight_of(row)); }

void add(Agreeing& table, std::size_t at, std::uint8_t side, double weight) {
    if (side == UNKNOWN_SIDE) return;
    table.held[2 * at + side] += weight;
    table.both.weight[side] += weight;
    ++table.rows[at];
    ++table.both.rows;
}

// The best surrogate of a column kept as a sorted list; missing values stand at its end.
template <class Entry>
std::optional<KeptQuestion> of_list(Block<Entry>& block, const Open& open, std::int32_t column, const Reals& reals,
                                    const Sides& answered, bool of_known) {
    const Entry* list = block.list(column) + open.begin;
    std::int32_t known = open.rows();
    Sides both = answered;
    for (; known > 0 && rank_of(list[known - 1]) == NO_RANK<Entry>; --known) {
        const std::uint32_t row = row_of(list[known - 1]);
        if (block.right[row] == UNKNOWN_SIDE) continue;
        both.weight[block.right[row]] -= weight_of(block, row);
        --both.rows;
    }
    if (both.rows < 4) return std::nullopt;
    const std::int64_t held[2] = {static_cast<std::int64_t>(both.weight[0]), static_cast<std::int64_t>(both.weight[1])};
    const bool is_weighted = !block.weights.empty();
    const auto find = is_weighted ? &best_agreeing<Entry, true> : &best_agreeing<Entry, false>;
    const ListCut cut = find(list, known, block.right.data(), block.weights.data(), held, both.rows);
    if (cut.below < 0) return std::nullopt;
    KeptQuestion question;
    question.column = column;
    question.is_flipped = cut.is_flipped;
    const auto value = [&](std::int32_t i) { return reals[block.row_of[row_of(list[i])]]; };
    question.cut = midpoint(value(cut.below - 1), value(cut.below));
    return weighed(std::move(question), static_cast<double>(cut.agreed), both, answered, of_known);
}

// The branch that a surrogate gives a row; UNKNOWN_SIDE when its value is missing or its level was not met.
std::uint8_t branch_by(const KeptQuestion& question, const SourceColumn& source, std::uint32_t row) {
    const std::int32_t branch = source.branch(row, question.cut, question.branch_of);
    if (branch < 0) return UNKNOWN_SIDE;
    return static_cast<std::uint8_t>(question.is_flipped ? 1 - branch : branch);
}

// Codes of a column: a place for every code, and in the end only those that some row has.
void count_codes(const Open& open, const ReadyColumn& ready, Agreeing& table) {
    AnyBlock& block = *open.block;
    const std::uint32_t n_codes = ready.n_codes;
    table.held.assign(2 * static_cast<std::size_t>(n_codes) + 2, 0.0);
    table.rows.assign(n_codes + 1, 0);
    std::vector<bool> is_present(n_codes + 1, false);
    const auto take = [&](std::uint32_t row, std::size_t code) {
        is_present[code] = true;
        if (code < n_codes) add(table, code, block.right[row], weight_of(block, row));
    };
    if (block.is_sparse[table.column]) {
        std::vector<bool> is_listed(block.n_rows, false);
        const auto place = std::find(open.active.begin(), open.active.end(), table.column) - open.active.begin();
        const Span span = open.spans[place];
        with_entries(block, [&](auto& typed) {
            for (std::int32_t i = span.begin; i < span.end; ++i) {
                const auto entry = typed.list(table.column)[i];
                is_listed[row_of(entry)] = true;
                take(row_of(entry), rank_of(entry));
            }
        });
        for (std::int32_t i = open.begin; i < open.end; ++i)
            if (!is_listed[block.order[i]]) take(block.order[i], ready.common);
    } else {
        with_codes(block.codes[table.column], [&](const auto* codes) {
            for (std::int32_t i = open.begin; i < open.end; ++i) take(block.order[i], codes[block.order[i]]);
        });
    }
    table.held.resize(2 * static_cast<std::size_t>(n_codes));
    table.rows.resize(n_codes);
    if (table.is_nominal) return;
    std::size_t kept = 0;
    for (std::uint32_t code = 0; code < n_codes; ++code) {
        if (!is_present[code]) continue;
        table.values.push_back(ready.high_of(code));
        table.held[2 * kept] = table.held[2 * code];
        table.held[2 * kept + 1] = table.held[2 * code + 1];
        table.rows[kept++] = table.rows[code];
    }
    table.held.resize(2 * kept);
    table.rows.resize(kept);
}

// A surrogate cuts between values, which bins and columns without an order do not tell apart: the node's are sorted.
void count_values(const Open& open, const SourceColumn& source, Agreeing& table) {
    const AnyBlock& block = *open.block;
    std::vector<std::pair<double, std::uint32_t>> known;
    for (std::int32_t i = open.begin; i < open.end; ++i) {
        const std::uint32_t row = block.order[i], at = block.row_of[row];
        if (source.codes ? source.codes[at] >= 0 : !std::isnan(source.reals[at]))
            known.emplace_back(source.codes ? source.codes[at] : source.reals[at], row);
    }
    std::sort(known.begin(), known.end());
    for (const auto& [value, row] : known) {
        if (table.values.empty() || table.values.back() != value) {
            table.values.push_back(value);
            table.held.resize(table.held.size() + 2, 0.0);
            table.rows.push_back(0);
        }
        add(table, table.rows.size() - 1, block.right[row], weight_of(block, row));
    }
}

bool is_read_by_value(const ReadyColumn& column) { return column.is_binned() || column.is_plain; }

// The columns that surrogates may be about. The values of a node may differ inside a bin, so no column of bins is left
// out.
std::vector<std::int32_t> columns_to_ask(const Open& open, const Job& job) {
    std::vector<std::int32_t> out = open.active;
    if (job.plan.cuts.bins == 0) return out;
    for (std::size_t c = 0; c < job.columns.size(); ++c)
        if (job.columns[c].is_binned()) out.push_back(static_cast<std::int32_t>(c));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// The best surrogate of every column, none for those of the question itself.
std::vector<std::optional<KeptQuestion>> offered(const Open& open, const Sides& answered, const Work& work) {
    const Plan& plan = work.job.plan;
    const std::vector<std::int32_t> columns = columns_to_ask(open, work.job);
    std::vector<std::optional<KeptQuestion>> out(columns.size());
    // A question about many columns has values of its own that replace missing ones.
    const ManyQuestion* many = open.best.many.get();
    if (plan.missing.surrogates <= 0 || (many && many->has_fill())) return out;
    work.each_column(columns.size(), [&](std::int64_t i, Scratch&) {
        const std::int32_t column = columns[i];
        if (column == open.best.column) return;
        if (many && std::find(many->terms.begin(), many->terms.end(), column) != many->terms.end()) return;
        const ReadyColumn& ready = work.job.columns[column];
        if (ready.is_listed) {
            out[i] = with_entries(*open.block, [&](auto& typed) {
                return of_list(typed, open, column, plan.columns[column].reals, answered,
                               plan.missing.surrogates_of_known);
            });
            return;
        }
        Agreeing table;
        table.column = column;
        table.is_nominal = ready.kind == Kind::nominal;
        if (is_read_by_value(ready))
            count_values(open, plan.columns[column], table);
        else
            count_codes(open, ready, table);
        out[i] = best_surrogate(table, answered, plan.missing.surrogates_of_known);
    });
    return out;
}

}  // namespace

void follow_surrogates(Open& open, RowPartition& rows, const Work& work) {
    AnyBlock& block = *open.block;
    const Plan& plan = work.job.plan;
    Sides answered;
    for (std::int32_t i = open.begin; i < open.end; ++i)
        if (const std::uint8_t side = block.right[block.order[i]]; side != UNKNOWN_SIDE) {
            answered.weight[side] += weight_of(block, block.order[i]);
            ++answered.rows;
        }
    std::vector<KeptQuestion>& kept = open.surrogates;
    for (auto& offer : offered(open, answered, work))
        if (offer) kept.push_back(std::move(*offer));
    keep_best(kept, static_cast<std::size_t>(plan.missing.surrogates));
    rows.missing_branch =
        undecided_branch(plan.missing, static_cast<double>(rows.known[0]), static_cast<double>(rows.known[1]));
    bool some_stay = false;
    for (std::int32_t i = open.begin; i < open.end; ++i) {
        std::uint8_t& side = block.right[block.order[i]];
        const std::uint32_t row = block.row_of[block.order[i]];
        for (std::size_t s = 0; side == UNKNOWN_SIDE && s < kept.size(); ++s)
            side = branch_by(kept[s], plan.columns[kept[s].column], row);
        if (side == UNKNOWN_SIDE && rows.missing_branch >= 0) side = static_cast<std::uint8_t>(rows.missing_branch);
        some_stay |= side == UNKNOWN_SIDE;
    }
    if (!some_stay) return;
    rows.in_two = false;
    for (std::int32_t i = open.begin; i < open.end; ++i) block.branch[block.order[i]] = block.right[block.order[i]];
}

}  // namespace hornbeam
