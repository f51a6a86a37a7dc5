// The best question about a column stored as codes: sums the rows per code, then cuts between codes or groups them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "core/stop.hpp"
#include "growing/marked_cuts.hpp"
#include "growing/search.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"
#include "nodes/cut_kernel.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {
namespace {

// Adds rows of a node to the cells of their codes.
template <Statistic S>
struct Adder {
    const S& statistic;
    RowTargets targets;
    CodeTable& table;

    void row(std::uint32_t row, std::size_t code) const {
        ++table.rows[code];
        statistic.add(targets, row, table.counts.data() + code * table.width);
    }
    void mark(std::size_t code) const { table.seen[code / 64] |= std::uint64_t{1} << (code % 64); }
};

// Counts rows of one unit in two alternating tables: neighboring rows that increment one counter stall the CPU.
template <Counts S, class Code>
void count_rows(const Adder<S>& adder, const Code* codes, const std::uint32_t* order, std::int32_t n,
                std::uint32_t n_codes) {
    CodeTable& table = adder.table;
    std::int64_t* counts = table.counts.data();
    const std::size_t width = table.width, size = (static_cast<std::size_t>(n_codes) + 1) * width;
    const auto entry = [&](std::uint32_t row) {
        return codes[row] * width + adder.statistic.entry(adder.targets, row);
    };
    std::int32_t i = 0;
    if (static_cast<std::size_t>(n) > 4 * size) {
        std::vector<std::int64_t>& other = table.second_counts;
        other.assign(size, 0);
        for (; i + 1 < n; i += 2) {
            ++counts[entry(order[i])];
            ++other[entry(order[i + 1])];
        }
        for (std::size_t c = 0; c < size; ++c) counts[c] += other[c];
    }
    for (; i < n; ++i) ++counts[entry(order[i])];
}

// Whether only classes are counted: the number of rows is the weight of a cell.
template <class S>
bool only_counts(const Adder<S>& adder) {
    return Counts<S> && !adder.targets.weights;
}

// Adds all rows of a node of a column with one code per row.
template <class S, class Code>
void add_rows(const Adder<S>& adder, const Code* codes, const NodeView& node, std::uint32_t n_codes, bool marks) {
    const std::uint32_t* order = node.block.order.data() + node.begin;
    const std::int32_t n = node.rows();
    bool is_counted = false;
    if constexpr (Counts<S>) {
        is_counted = only_counts(adder);
        if (is_counted) count_rows(adder, codes, order, n, n_codes);
    }
    for (std::int32_t i = 0; !is_counted && i < n; ++i) adder.row(order[i], codes[order[i]]);
    for (std::int32_t i = 0; marks && i < n; ++i) adder.mark(codes[order[i]]);
}

// Adds the listed rows of a sparse column; all others have the most common code.
template <class S, class Entry>
void add_entries(const Adder<S>& adder, const Entry* list, std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i) {
        const auto code = static_cast<std::size_t>(rank_of(list[i]));
        adder.row(row_of(list[i]), code);
        adder.mark(code);
    }
}

// Sets the sums of the most common code of a sparse column: those of the node minus all others.
void set_common(const NodeView& node, const ReadyColumn& ready, std::int64_t rows, CodeTable& table) {
    std::int64_t* common = table.of(ready.common);
    std::copy(node.totals.cell.begin(), node.totals.cell.end(), common);
    const auto subtract = [&](std::uint32_t code) {
        for (int k = 0; k < table.width; ++k) common[k] -= table.of(code)[k];
    };
    for (const std::uint32_t code : table.present) subtract(code);
    if (ready.common != ready.n_codes) {
        subtract(ready.n_codes);
        table.present.insert(std::lower_bound(table.present.begin(), table.present.end(), ready.common), ready.common);
    }
    table.rows[ready.common] = rows;
}

template <class S>
void count_codes_of(const Adder<S>& adder, const NodeView& node, const ReadyColumn& ready, std::int32_t column,
                    Span span) {
    CodeTable& table = adder.table;
    const std::uint32_t n_codes = ready.n_codes;
    // For many rows a scan over all codes is faster than marking those present.
    const bool is_sparse = node.block.is_sparse[column],
               marks = is_sparse || static_cast<std::uint32_t>(node.rows()) < n_codes;
    if (!is_sparse) {
        with_codes(node.block.codes[column], [&](const auto* codes) { add_rows(adder, codes, node, n_codes, marks); });
    } else {
        with_entries(node.block,
                     [&](const auto& typed) { add_entries(adder, typed.list(column) + span.begin, span.size()); });
    }
    if (marks) table.list_seen(n_codes);
    if (only_counts(adder)) {
        const auto set_rows = [&](std::uint32_t code) { table.rows[code] = adder.statistic.weight(table.of(code)); };
        if (marks)
            for (const std::uint32_t code : table.present) set_rows(code);
        else
            for (std::uint32_t code = 0; code < n_codes; ++code) set_rows(code);
        if (ready.has_missing) set_rows(n_codes);
    }
    if (!marks)
        for (std::uint32_t code = 0; code < n_codes; ++code)
            if (table.rows[code] > 0) table.present.push_back(code);
    if (is_sparse && span.size() < node.rows()) set_common(node, ready, node.rows() - span.size(), table);
    table.known = node.rows() - table.rows[n_codes];
}

}  // namespace

void count_codes(const Scoring& s, const NodeView& node, std::int32_t column, Span span, CodeTable& table) {
    const ReadyColumn& ready = s.columns[column];
    table.reserve(ready.n_codes, s.statistic.width());
    std::visit(
        [&](const auto& statistic) {
            count_codes_of(Adder<std::decay_t<decltype(statistic)>>{statistic, node.block.targets(), table}, node,
                           ready, column, span);
        },
        s.statistic);
}

namespace {

void best_cut_of_codes(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out) {
    const ReadyColumn& ready = s.columns[out.column];
    const CodeTable& table = scratch.codes;
    const bool is_whole = table.known == node.totals.rows;
    Totals of_known;
    if (!is_whole) of_known = s.without(node.totals, node.totals.rows - table.known, table.of(ready.n_codes));
    const Totals& sums = is_whole ? node.totals : of_known;
    const bool scored = !is_whole && scores_own_branch(s, scratch.missing);
    const double all = is_whole ? 1.0 : s.mass(node.totals), fraction = is_whole || scored ? 1.0 : s.mass(sums) / all;
    const double unknown = is_whole ? 0.0 : all - s.mass(sums);
    const MinSize low = s.min_size(sums.weight, s.plan.cuts.c45_size);
    const double bar = s.tolerance(node.impurity) / fraction;
    const bool some = has_marked_cuts(s);
    const std::int64_t allowed = some ? mark_code_cuts(s, table, sums.weight, scratch) : 0;
    const bool must_differ = s.plan.cuts.c45_size && ready.kind == Kind::numeric;
    const ImputedList& imputed = scratch.imputed;
    const auto high_of = [&](std::uint32_t code) {
        return code == ready.n_codes ? imputed.value : ready.high_of(code);
    };
    const auto low_of = [&](std::uint32_t code) { return code == ready.n_codes ? imputed.value : ready.low_of(code); };
    const Cut cut =
        with_kernel(s, node.block, sums, scored ? 0.0 : unknown, scratch, [&](auto& kernel, double to_gain) {
            return best_code_cut(
                table, kernel, low, bar / to_gain, scratch.cuts, [&](std::uint32_t a, std::uint32_t b) {
                    return some ? scratch.is_marked[a] != 0 : !must_differ || are_apart(high_of(a), low_of(b));
                });
        });
    if (cut.at < 0) return;
    const std::uint32_t below = table.present[cut.at], above = table.present[cut.at + 1];
    out.type = Candidate::Type::cut;
    out.score = cut.score;
    if (scored) out.own = OwnBranch::scored;
    out.code = below == ready.n_codes ? table.present[cut.at - 1] : below;
    out.low = high_of(below);
    out.high = low_of(above);
    if (imputed.n_missing > 0) out.missing_branch = imputed.value > out.low;
    if (s.needs_information) {
        double sides[2] = {0, 0};
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(table.present.size()); ++i)
            for (int k = 0; k < table.width; ++k)
                sides[i > cut.at] += static_cast<double>(table.of(table.present[i])[k]) * s.factor[k];
        out.information = split_information({nullptr, sides, 2, 1, unknown}, true);
    }
    s.finish(out, fraction, cuts_counted(s, cut, allowed), node.totals);
}

// Whether a sparse column of two values has one cut, which is scored by adding the rows of the rarer value.
bool has_only_cut(const Scoring& s, std::int32_t column) {
    const ReadyColumn& ready = s.columns[column];
    return ready.is_sparse && ready.n_codes == 2 && !ready.has_missing && ready.kind != Kind::nominal &&
           !s.needs_information && !s.plan.cuts.c45_size && s.plan.cuts.pairs == 0;
}

// Scores the only cut; `add` adds the `listed` rows to a kernel.
template <class Add>
void only_cut(const Scoring& s, const NodeView& node, std::int64_t listed, Scratch& scratch, Candidate& out,
              const Add& add) {
    const Totals& totals = node.totals;
    const MinSize low = s.fixed_min_size;
    if (listed < low.rows || totals.rows - listed < low.rows) return;
    const ReadyColumn& ready = s.columns[out.column];
    const Cut cut = with_kernel(s, node.block, totals, 0.0, scratch, [&](auto& kernel, double to_gain) {
        const double base = kernel.base();
        Cut found{low.start(base), -1, 1};
        add(kernel);
        if (!kernel.allows(low)) return found;
        kernel.write(scratch.cuts, 0);
        scratch.cuts.rows[0] = static_cast<std::int32_t>(listed);
        kernel.finish(scratch.cuts, 1, s.tolerance(node.impurity) / to_gain, found);
        found.score -= base;
        return found;
    });
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.score = cut.score;
    out.code = 0;
    out.low = ready.high_of(0);
    out.high = ready.low_of(1);
    s.finish(out, 1.0, 1, totals);
}

void best_groups(const Scoring& s, const Totals& totals, double impurity, Scratch& scratch, Candidate& out) {
    fill_levels(s, totals, s.columns[out.column].n_codes, scratch);
    add_missing_to_levels(s, totals, scratch);
    score_groups(s, scratch.levels, totals, impurity, out);
}

// The best question from the sums per code in scratch, which are cleared.
void best_of_codes(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out) {
    const ReadyColumn& ready = s.columns[out.column];
    CodeTable& table = scratch.codes;
    if (s.plan.missing.mode != MissingMode::apart && ready.has_missing)
        set_missing(s, table.of(ready.n_codes), table.rows[ready.n_codes], scratch.missing);
    const bool either = s.plan.missing.mode == MissingMode::either && scratch.missing.rows > 0;
    if (table.present.size() > 1) {
        out.type = Candidate::Type::none;
        if (imputes(s, out.column)) impute_codes(s, node, out.column, scratch);
        if (ready.kind != Kind::nominal && either)
            best_either_of_codes(s, node, scratch, out);
        else if (ready.kind != Kind::nominal)
            best_cut_of_codes(s, node, scratch, out);
        else
            best_groups(s, node.totals, node.impurity, scratch, out);
        if (scratch.imputed.n_missing > 0) direct_imputed(scratch.imputed.value, out);
    }
    table.clear(ready.n_codes);
}

}  // namespace

Candidate best_coded(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    const ReadyColumn& ready = s.columns[column];
    if (ready.is_sparse) {
        if (span.size() == 0 || (ready.n_codes == 2 && !ready.has_missing && span.size() == node.rows())) return out;
        if (has_only_cut(s, column)) {
            out.type = Candidate::Type::none;
            only_cut(s, node, span.size(), scratch, out, [&](auto& kernel) {
                with_entries(node.block, [&](const auto& typed) {
                    const auto* list = typed.list(column);
                    for (std::int32_t i = span.begin; i < span.end; ++i) kernel.add(row_of(list[i]));
                });
            });
            return out;
        }
    }
    count_codes(s, node, column, span, scratch.codes);
    best_of_codes(s, node, scratch, out);
    return out;
}

Candidate best_in_table(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    Candidate out;
    out.column = column;
    const ReadyColumn& ready = s.columns[column];
    CodeTable& table = scratch.codes;
    if (!s.plan.cuts.is_used && ready.kind != Kind::nominal) {
        table.clear(ready.n_codes);
        return out;
    }
    scratch.missing.rows = scratch.imputed.n_missing = 0;
    out.type = Candidate::Type::constant;
    if (has_only_cut(s, column) && table.present.size() == 2) {
        out.type = Candidate::Type::none;
        const std::uint32_t listed = 1 - ready.common;
        only_cut(s, node, table.rows[listed], scratch, out, [&](auto& kernel) { kernel.add_counts(table.of(listed)); });
        table.clear(ready.n_codes);
    } else {
        best_of_codes(s, node, scratch, out);
    }
    if (s.plan.missing.mode != MissingMode::apart && ready.has_missing) {
        vary_by_missing(s, node.totals, scratch.missing, out);
        consider_missing(s, node.totals, node.impurity, scratch.missing, out);
    }
    scratch.missing.own.clear();
    return out;
}

void list_branches(const Scoring& s, Candidate& best) {
    if (best.type != Candidate::Type::map) return;
    Grouping& groups = *best.groups;
    groups.branch_of.assign(s.columns[best.column].n_codes, -1);
    for (std::size_t i = 0; i < groups.levels.size(); ++i) groups.branch_of[groups.levels[i]] = groups.branch[i];
}

void set_gain(const Scoring& s, const std::vector<std::int64_t>& counts, const Totals& totals, Candidate& best) {
    const int width = s.plan.target.n_classes;
    if (s.choice == Choice::ratio_above_average) best.score /= best.information;
    if (counts.empty()) return;
    std::vector<double> stats(counts.size()), parent(width, 0.0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        stats[i] = static_cast<double>(counts[i]) * s.factor[i % width];
        parent[i % width] += stats[i];
    }
    const double fraction = total(parent.data(), width) / s.mass(totals);
    best.gain = s.criterion->decrease({parent.data(), stats.data(), best.n_branches, width}) * fraction;
}

void complete_in_table(const Scoring& s, const Totals& totals, const CodeTable& table, Candidate& best) {
    list_branches(s, best);
    const int width = s.plan.target.n_classes;
    std::vector<std::int64_t> counts;
    if (best.type != Candidate::Type::missing && !s.criterion->is_impurity() && width > 0) {
        counts.assign(static_cast<std::size_t>(best.n_branches) * width, 0);
        const auto add = [&](std::uint32_t code, std::int32_t branch) {
            for (int k = 0; k < width; ++k) counts[branch * width + k] += table.of(code)[k];
        };
        for (const std::uint32_t code : table.present)
            add(code, best.type == Candidate::Type::map ? best.groups->branch_of[code] : code > best.code);
        if (best.missing_branch >= 0) add(s.columns[best.column].n_codes, best.missing_branch);
    }
    set_gain(s, counts, totals, best);
}

}  // namespace hornbeam
