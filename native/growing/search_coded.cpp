// The best question about a column kept as codes: sum the rows of every code, then cut between the codes or group them.
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "core/stop.hpp"
#include "growing/search_kernels.hpp"

namespace hornbeam {
namespace {

// Adds single rows of a node to their codes.
struct Adder {
    const AnyBlock& block;
    CodeTable& table;
    bool is_class;

    void row(std::uint32_t row, std::size_t code) const {
        std::int64_t* counts = table.counts.data() + code * table.width;
        const std::int64_t w = block.weights.empty() ? 1 : block.weights[row];
        ++table.rows[code];
        if (is_class) {
            counts[block.classes[row]] += w;
        } else {
            counts[0] += w;
            counts[1] += block.sums[row];
        }
    }
    void mark(std::size_t code) const { table.seen[code / 64] |= std::uint64_t{1} << (code % 64); }
};

// Every row of a node that has a code a row.
template <class Code>
void add_rows(const Adder& adder, const Code* codes, const std::uint32_t* order, std::int32_t n, std::uint32_t n_codes,
              bool marks) {
    const AnyBlock& block = adder.block;
    CodeTable& table = adder.table;
    if (adder.is_class && block.weights.empty()) {
        std::int64_t* counts = table.counts.data();
        const std::uint16_t* classes = block.classes.data();
        const std::size_t width = table.width;
        // Neighbouring rows often meet in one counter and would wait for each other: two tables take turns.
        const std::size_t size = (static_cast<std::size_t>(n_codes) + 1) * width;
        std::int32_t i = 0;
        if (static_cast<std::size_t>(n) > 4 * size) {
            std::vector<std::int64_t>& other = table.second_counts;
            other.assign(size, 0);
            for (; i + 1 < n; i += 2) {
                ++counts[codes[order[i]] * width + classes[order[i]]];
                ++other[codes[order[i + 1]] * width + classes[order[i + 1]]];
            }
            for (std::size_t c = 0; c < size; ++c) counts[c] += other[c];
        }
        for (; i < n; ++i) ++counts[codes[order[i]] * width + classes[order[i]]];
    } else {
        for (std::int32_t i = 0; i < n; ++i) adder.row(order[i], codes[order[i]]);
    }
    for (std::int32_t i = 0; marks && i < n; ++i) adder.mark(codes[order[i]]);
}

// The rows listed for a node; all others have the commonest code.
template <class Entry>
void add_entries(const Adder& adder, const Entry* list, std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i) {
        const auto code = static_cast<std::size_t>(rank_of(list[i]));
        adder.row(row_of(list[i]), code);
        adder.mark(code);
    }
}

}  // namespace

// Looking through all codes for those present costs less than marking them where rows are many.
void ColumnSearch::count_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                               std::int32_t column, Span span, CodeTable& table) const {
    const bool is_class = plan_.target.is_class();
    const ReadyColumn& ready = columns_[column];
    const std::uint32_t n_codes = ready.n_codes;
    table.make_room(n_codes, is_class ? plan_.target.n_classes : 2);
    const Adder adder{block, table, is_class};
    const bool is_sparse = block.is_sparse[column],
               marks = is_sparse || static_cast<std::uint32_t>(end - begin) < n_codes;
    if (!is_sparse) {
        with_codes(block.codes[column], [&](const auto* codes) {
            add_rows(adder, codes, block.order.data() + begin, end - begin, n_codes, marks);
        });
    } else if (block.is_wide) {
        add_entries(adder, static_cast<const Block<std::uint64_t>&>(block).lists[column].data() + span.begin,
                    span.size());
    } else {
        add_entries(adder, static_cast<const Block<std::uint32_t>&>(block).lists[column].data() + span.begin,
                    span.size());
    }
    // Without weights rows were not counted one by one: they are the sum of the classes.
    if (is_class && block.weights.empty()) {
        const auto set_rows = [&](std::uint32_t code) {
            std::int64_t sum = 0;
            for (int k = 0; k < table.width; ++k) sum += table.of(code)[k];
            table.rows[code] = sum;
        };
        if (marks) {
            table.list_seen(n_codes);
            for (const std::uint32_t code : table.present) set_rows(code);
        } else {
            for (std::uint32_t code = 0; code < n_codes; ++code) set_rows(code);
        }
        if (ready.has_missing) set_rows(n_codes);
    } else if (marks) {
        table.list_seen(n_codes);
    }
    if (!marks)
        for (std::uint32_t code = 0; code < n_codes; ++code)
            if (table.rows[code] > 0) table.present.push_back(code);
    if (is_sparse && span.size() < end - begin) {
        std::int64_t* common = table.of(ready.common);
        for (int k = 0; k < table.width; ++k)
            common[k] = is_class ? totals.counts[k] : k == 0 ? totals.weight : totals.sum;
        const auto take_off = [&](std::uint32_t code) {
            for (int k = 0; k < table.width; ++k) common[k] -= table.of(code)[k];
        };
        for (const std::uint32_t code : table.present) take_off(code);
        if (ready.common != n_codes) {
            take_off(n_codes);
            table.present.insert(std::lower_bound(table.present.begin(), table.present.end(), ready.common),
                                 ready.common);
        }
        table.rows[ready.common] = end - begin - span.size();
    }
    table.known = end - begin - table.rows[n_codes];
}

// The table of levels in the criterion's statistics.
void ColumnSearch::fill_levels(const Totals& totals, std::int32_t column, Scratch& scratch) const {
    const Target& target = plan_.target;
    const CodeTable& codes = scratch.codes;
    LevelTable& table = scratch.levels;
    const int width = codes.width;
    const std::size_t m = codes.present.size();
    table.present = codes.present;
    table.width = width;
    table.is_number = !target.is_class();
    table.rows.resize(m);
    table.weight.resize(m);
    table.stats.assign(m * width, 0.0);
    table.parent.assign(width, 0.0);
    table.total_rows = codes.known;
    table.total_weight = 0;
    set_target_scale(totals, table);
    for (std::size_t i = 0; i < m; ++i) {
        check_stop(2 * width);
        const std::int64_t* counts = codes.of(codes.present[i]);
        add_stats(counts, totals, table.stats.data() + i * width);
        for (int k = 0; k < width; ++k) table.parent[k] += table.stats[i * width + k];
        table.rows[i] = codes.rows[codes.present[i]];
        table.weight[i] = 0;
        for (int k = 0; k < (target.is_class() ? width : 1); ++k) table.weight[i] += counts[k];
        table.total_weight += table.weight[i];
    }
    table.unknown = codes.rows[columns_[column].n_codes] > 0 ? mass(totals) - table.mass() : 0.0;
}

// A sparse column of two values has one cut, and its score is the same from either side but for rounding: the rows that
// do not have the commoner value are added.
bool ColumnSearch::has_only_cut(std::int32_t column) const {
    const ReadyColumn& ready = columns_[column];
    return ready.is_sparse && ready.n_codes == 2 && !ready.has_missing && ready.kind != Kind::nominal && !plan_.c45 &&
           !is_ratio_ && plan_.pairs == 0;
}

template <class Add>
void ColumnSearch::only_cut(const AnyBlock& block, std::int64_t listed, std::int64_t n, const Totals& totals,
                            double impurity, Scratch& scratch, Candidate& out, const Add& add) const {
    const Least low = least(totals.weight, true);
    if (listed < low.rows || n - listed < low.rows) return;
    const ReadyColumn& ready = columns_[out.column];
    double to_gain = 1.0;
    const Cut cut = with_kernel(block, totals, 0.0, scratch, to_gain, [&](auto& kernel) {
        const double base = kernel.base();
        Cut found{low.start(base), -1, 1};
        add(kernel);
        if (!kernel.allows(low)) return found;
        kernel.write(scratch.cuts, 0);
        scratch.cuts.rows[0] = static_cast<std::int32_t>(listed);
        kernel.finish(scratch.cuts, 1, tolerance(impurity) / to_gain, found);
        found.score -= base;
        return found;
    });
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.score = cut.score * to_gain;
    out.code = 0;
    out.low = ready.high_of(0);
    out.high = ready.low_of(1);
    finish(out, 1.0, 1, totals);
}

Candidate ColumnSearch::best_coded(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                   double impurity, std::int32_t column, Span span, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    const ReadyColumn& ready = columns_[column];
    if (ready.is_sparse) {
        if (span.size() == 0 || (ready.n_codes == 2 && !ready.has_missing && span.size() == end - begin)) return out;
        if (has_only_cut(column)) {
            out.type = Candidate::Type::none;
            only_cut(block, span.size(), end - begin, totals, impurity, scratch, out, [&](auto& kernel) {
                const auto add = [&](const auto& typed) {
                    const auto* list = typed.lists[column].data();
                    for (std::int32_t i = span.begin; i < span.end; ++i) kernel.add(row_of(list[i]));
                };
                if (block.is_wide)
                    add(static_cast<const Block<std::uint64_t>&>(block));
                else
                    add(static_cast<const Block<std::uint32_t>&>(block));
            });
            return out;
        }
    }
    count_codes(block, begin, end, totals, column, span, scratch.codes);
    best_of_codes(block, begin, end, totals, impurity, scratch, out);
    return out;
}

// From the sums per code in scratch, which are 0 afterwards.
void ColumnSearch::best_of_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                 double impurity, Scratch& scratch, Candidate& out) const {
    const ReadyColumn& ready = columns_[out.column];
    CodeTable& table = scratch.codes;
    if (plan_.missing_counted != HoleRule::apart && ready.has_missing)
        set_holes(table.of(ready.n_codes), table.rows[ready.n_codes], scratch.holes);
    const bool either = plan_.missing_counted == HoleRule::either && scratch.holes.rows > 0;
    if (table.present.size() > 1) {
        out.type = Candidate::Type::none;
        if (fills(out.column)) fill_codes(block, begin, end, out.column, scratch);
        if (ready.kind != Kind::nominal && either)
            best_both_of_codes(block, totals, impurity, scratch, out);
        else if (ready.kind != Kind::nominal)
            best_cut_of_codes(block, totals, impurity, scratch, out);
        else
            best_groups(totals, impurity, scratch, out);
        if (scratch.filled.holes > 0) direct_filled(scratch.filled.value, out);
    }
    table.clear(ready.n_codes);
}

Candidate ColumnSearch::best_of_table(const AnyBlock& block, const Totals& totals, double impurity,
                                      std::int32_t column, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    const ReadyColumn& ready = columns_[column];
    if (!plan_.cuts && ready.kind != Kind::nominal) {
        scratch.codes.clear(ready.n_codes);
        return out;
    }
    scratch.holes.rows = scratch.filled.holes = 0;
    out.type = Candidate::Type::constant;
    CodeTable& table = scratch.codes;
    if (has_only_cut(column) && table.present.size() == 2) {
        out.type = Candidate::Type::none;
        const std::uint32_t listed = 1 - ready.common;
        only_cut(block, table.rows[listed], totals.rows, totals, impurity, scratch, out,
                 [&](auto& kernel) { kernel.add_counts(table.of(listed)); });
        table.clear(ready.n_codes);
    } else {
        best_of_codes(block, 0, 0, totals, impurity, scratch, out);
    }
    if (plan_.missing_counted != HoleRule::apart && ready.has_missing)
        consider_missing(totals, impurity, scratch.holes, out);
    scratch.holes.own.clear();
    return out;
}

// The branch of every code of a grouping.
void ColumnSearch::list_branches(Candidate& best) const {
    if (best.type != Candidate::Type::map) return;
    Grouping& groups = *best.groups;
    groups.branch_of.assign(columns_[best.column].n_codes, -1);
    for (std::size_t i = 0; i < groups.levels.size(); ++i) groups.branch_of[groups.levels[i]] = groups.branch[i];
}

// The ratio that C4.5 compares, and the decrease in impurity of the branches with these counts of classes, if any.
void ColumnSearch::set_gain(const std::vector<std::int64_t>& counts, const Totals& totals, Candidate& best) const {
    const int width = plan_.target.n_classes;
    if (plan_.c45 && !plan_.c45_by_gain) best.score /= best.information;
    if (counts.empty()) return;
    std::vector<double> stats(counts.size()), parent(width, 0.0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        stats[i] = static_cast<double>(counts[i]) * factor_[i % width];
        parent[i % width] += stats[i];
    }
    const double share = total(parent.data(), width) / mass(totals);
    best.gain = criterion_->decrease({parent.data(), stats.data(), best.n_branches, width}) * share;
}

void ColumnSearch::complete_of_table(const CodeTable& table, const Totals& totals, Candidate& best) const {
    list_branches(best);
    const int width = plan_.target.n_classes;
    std::vector<std::int64_t> counts;
    if (best.type != Candidate::Type::missing && !criterion_->is_impurity() && width > 0) {
        counts.assign(static_cast<std::size_t>(best.n_branches) * width, 0);
        const auto add = [&](std::uint32_t code, std::int32_t branch) {
            for (int k = 0; k < width; ++k) counts[branch * width + k] += table.of(code)[k];
        };
        for (const std::uint32_t code : table.present)
            add(code, best.type == Candidate::Type::map ? best.groups->branch_of[code] : code > best.code);
        if (best.missing_branch >= 0) add(columns_[best.column].n_codes, best.missing_branch);
    }
    set_gain(counts, totals, best);
}

void ColumnSearch::best_cut_of_codes(const AnyBlock& block, const Totals& totals, double impurity, Scratch& scratch,
                                     Candidate& out) const {
    const ReadyColumn& ready = columns_[out.column];
    const CodeTable& table = scratch.codes;
    const bool is_whole = table.known == totals.rows;
    Totals of_known;
    if (!is_whole) {
        const std::int64_t* missing = table.of(ready.n_codes);
        of_known = totals;
        of_known.rows = table.known;
        for (std::size_t k = 0; k < totals.counts.size(); ++k) {
            of_known.counts[k] -= missing[k];
            of_known.weight -= missing[k];
        }
        if (totals.counts.empty()) of_known.weight -= missing[0], of_known.sum -= missing[1];
        set_squares(of_known);
    }
    const Totals& sums = is_whole ? totals : of_known;
    const bool scored = !is_whole && are_scored_apart(scratch.holes);
    const double all = is_whole ? 1.0 : mass(totals), share = is_whole || scored ? 1.0 : mass(sums) / all;
    const double unknown = is_whole ? 0.0 : all - mass(sums);
    double to_gain = 1.0;
    const Least low = least(sums.weight, true);
    const double bar = tolerance(impurity) / share;
    const bool some = tries_some();
    if (some) mark_code_cuts(table, sums.weight, scratch);
    const bool must_differ = plan_.c45 && ready.kind == Kind::numeric;
    const Filled& filled = scratch.filled;
    const auto high_of = [&](std::uint32_t code) { return code == ready.n_codes ? filled.value : ready.high_of(code); };
    const auto low_of = [&](std::uint32_t code) { return code == ready.n_codes ? filled.value : ready.low_of(code); };
    const Cut cut = with_kernel(block, sums, scored ? 0.0 : unknown, scratch, to_gain, [&](auto& kernel) {
        return best_code_cut(table, kernel, low, bar / to_gain, scratch.cuts, [&](std::uint32_t a, std::uint32_t b) {
            return some ? scratch.is_marked[a] != 0 : !must_differ || are_apart(high_of(a), low_of(b));
        });
    });
    if (cut.at < 0) return;
    const std::uint32_t below = table.present[cut.at], above = table.present[cut.at + 1];
    out.type = Candidate::Type::cut;
    out.score = cut.score * to_gain;
    out.code = below == ready.n_codes ? table.present[cut.at - 1] : below;
    out.low = high_of(below);
    out.high = low_of(above);
    if (filled.holes > 0) out.missing_branch = filled.value > out.low;
    if (plan_.c45 || is_ratio_) {
        double sides[2] = {0, 0};
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(table.present.size()); ++i)
            for (int k = 0; k < table.width; ++k)
                sides[i > cut.at] += static_cast<double>(table.of(table.present[i])[k]) * factor_[k];
        out.information = split_information({nullptr, sides, 2, 1, unknown}, true);
    }
    finish(out, share, cut.tried, totals);
}

void ColumnSearch::best_groups(const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const {
    fill_levels(totals, out.column, scratch);
    add_holes_to_levels(totals, scratch);
    judge_groups(scratch.levels, totals, impurity, out);
}

}  // namespace hornbeam
