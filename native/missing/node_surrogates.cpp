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

void add(AgreementCounts& table, std::size_t at, std::uint8_t side, double weight) {
    if (side == UNKNOWN_SIDE) return;
    table.branch_weight[2 * at + side] += weight;
    table.both.weight[side] += weight;
    ++table.rows[at];
    ++table.both.rows;
}

// The best surrogate about a column stored as a sorted list, with missing values at its end.
template <class Entry>
std::optional<KeptQuestion> surrogate_of_list(Block<Entry>& block, const Open& open, std::int32_t column,
                                              const Reals& reals, const Sides& decided, bool of_known) {
    const Entry* list = block.list(column) + open.begin;
    std::int32_t known = open.rows();
    Sides both = decided;
    for (; known > 0 && rank_of(list[known - 1]) == NO_RANK<Entry>; --known) {
        const std::uint32_t row = row_of(list[known - 1]);
        if (block.right[row] == UNKNOWN_SIDE) continue;
        both.weight[block.right[row]] -= weight_of(block, row);
        --both.rows;
    }
    if (both.rows < 4) return std::nullopt;
    const std::int64_t branch_weight[2] = {static_cast<std::int64_t>(both.weight[0]),
                                           static_cast<std::int64_t>(both.weight[1])};
    const bool is_weighted = !block.weights.empty();
    const auto find = is_weighted ? &best_agreeing<Entry, true> : &best_agreeing<Entry, false>;
    const ListCut cut = find(list, known, block.right.data(), block.weights.data(), branch_weight, both.rows);
    if (cut.below < 0) return std::nullopt;
    KeptQuestion question;
    question.column = column;
    question.is_flipped = cut.is_flipped;
    const auto value = [&](std::int32_t i) { return reals[block.row_of[row_of(list[i])]]; };
    question.cut = midpoint(value(cut.below - 1), value(cut.below));
    return as_surrogate(std::move(question), static_cast<double>(cut.agreed), both, decided, of_known);
}

// The branch of a row by a surrogate; UNKNOWN_SIDE if its value is missing or its level is unseen.
std::uint8_t branch_by(const KeptQuestion& question, const SourceColumn& source, std::uint32_t row) {
    const std::int32_t branch = source.branch(row, question.cut, question.branch_of);
    if (branch < 0) return UNKNOWN_SIDE;
    return static_cast<std::uint8_t>(question.is_flipped ? 1 - branch : branch);
}

// Adds the rows of a column stored as codes; for cuts, codes without rows are removed at the end.
void count_codes(const Open& open, const ReadyColumn& ready, AgreementCounts& table) {
    AnyBlock& block = *open.block;
    const std::uint32_t n_codes = ready.n_codes;
    table.branch_weight.assign(2 * static_cast<std::size_t>(n_codes) + 2, 0.0);
    table.rows.assign(n_codes + 1, 0);
    std::vector<bool> is_present(n_codes + 1, false);
    const auto take = [&](std::uint32_t row, std::size_t code) {
        is_present[code] = true;
        if (code < n_codes) add(table, code, block.right[row], weight_of(block, row));
    };
    if (block.is_sparse[table.column]) {
        std::vector<bool> is_listed(block.n_rows, false);
        const auto index = std::find(open.active.begin(), open.active.end(), table.column) - open.active.begin();
        const Span span = open.spans[index];
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
    table.branch_weight.resize(2 * static_cast<std::size_t>(n_codes));
    table.rows.resize(n_codes);
    if (table.is_nominal) return;
    std::size_t kept = 0;
    for (std::uint32_t code = 0; code < n_codes; ++code) {
        if (!is_present[code]) continue;
        table.values.push_back(ready.high_of(code));
        table.branch_weight[2 * kept] = table.branch_weight[2 * code];
        table.branch_weight[2 * kept + 1] = table.branch_weight[2 * code + 1];
        table.rows[kept++] = table.rows[code];
    }
    table.branch_weight.resize(2 * kept);
    table.rows.resize(kept);
}

// Adds the values of a column of bins or without an order: surrogates cut between values, so they are sorted.
void count_values(const Open& open, const SourceColumn& source, AgreementCounts& table) {
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
            table.branch_weight.resize(table.branch_weight.size() + 2, 0.0);
            table.rows.push_back(0);
        }
        add(table, table.rows.size() - 1, block.right[row], weight_of(block, row));
    }
}

bool is_read_by_value(const ReadyColumn& column) { return column.is_binned() || column.is_plain; }

// The columns of surrogates, including all binned columns: the values of a node may differ within a bin.
std::vector<std::int32_t> surrogate_columns(const Open& open, const Job& job) {
    std::vector<std::int32_t> out = open.active;
    if (job.plan.cuts.bins == 0) return out;
    for (std::size_t c = 0; c < job.columns.size(); ++c)
        if (job.columns[c].is_binned()) out.push_back(static_cast<std::int32_t>(c));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// The best surrogate per column, none for the columns of the question itself.
std::vector<std::optional<KeptQuestion>> best_surrogates(const Open& open, const Sides& decided, const Work& work) {
    const Plan& plan = work.job.plan;
    const std::vector<std::int32_t> columns = surrogate_columns(open, work.job);
    std::vector<std::optional<KeptQuestion>> out(columns.size());
    // A question about several columns has its own values that replace missing ones.
    const ManyQuestion* many = open.best.many.get();
    if (plan.missing.surrogates <= 0 || (many && many->has_fill())) return out;
    work.each_column(columns.size(), [&](std::int64_t i, Scratch&) {
        const std::int32_t column = columns[i];
        if (column == open.best.column) return;
        if (many && std::find(many->terms.begin(), many->terms.end(), column) != many->terms.end()) return;
        const ReadyColumn& ready = work.job.columns[column];
        if (ready.is_listed) {
            out[i] = with_entries(*open.block, [&](auto& typed) {
                return surrogate_of_list(typed, open, column, plan.columns[column].reals, decided,
                                         plan.missing.surrogates_of_known);
            });
            return;
        }
        AgreementCounts table;
        table.column = column;
        table.is_nominal = ready.kind == Kind::nominal;
        if (is_read_by_value(ready))
            count_values(open, plan.columns[column], table);
        else
            count_codes(open, ready, table);
        out[i] = best_surrogate(table, decided, plan.missing.surrogates_of_known);
    });
    return out;
}

}  // namespace

void follow_surrogates(Open& open, RowPartition& rows, const Work& work) {
    AnyBlock& block = *open.block;
    const Plan& plan = work.job.plan;
    Sides decided;
    for (std::int32_t i = open.begin; i < open.end; ++i)
        if (const std::uint8_t side = block.right[block.order[i]]; side != UNKNOWN_SIDE) {
            decided.weight[side] += weight_of(block, block.order[i]);
            ++decided.rows;
        }
    std::vector<KeptQuestion>& kept = open.surrogates;
    for (auto& found : best_surrogates(open, decided, work))
        if (found) kept.push_back(std::move(*found));
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
