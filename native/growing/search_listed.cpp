// The best cut of a column stored as a sorted list.
#include "growing/marked_cuts.hpp"
#include "growing/search.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"
#include "nodes/cut_kernel.hpp"

namespace hornbeam {

template <class Entry>
Cut best_cut_of_list(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t n, const ListScan& scan,
                     Scratch& scratch) {
    const Reals reals = scan.column < 0 ? Reals() : s.plan.columns[scan.column].reals;
    const bool is_column = scan.column >= 0, some = is_column && has_marked_cuts(s);
    const bool by_c45 = is_column ? s.plan.cuts.c45_size : s.penalizes_cuts;
    MinSize min_size = s.min_size(scan.totals.weight, by_c45);
    min_size.zero_gain |= !is_column;
    const std::int64_t allowed = some ? mark_cuts(s, block, list, n, scan.totals.weight, scratch) : 0;
    Cut out = with_kernel(s, block, scan.totals, scan.unknown, scratch, [&](auto& kernel, double to_gain) {
        const CutRule limits{min_size, scan.tolerance / to_gain};
        if (!by_c45 && !some) return best_cut(list, n, kernel, limits, scratch.cuts, [](Entry, Entry) { return true; });
        return best_cut(list, n, kernel, limits, scratch.cuts, [&](Entry a, Entry b) {
            if (some) return scratch.is_marked[row_of(a)] != 0;
            if (scan.values) return are_apart(scan.values[rank_of(a)], scan.values[rank_of(b)]);
            return are_apart(reals[block.row_of[row_of(a)]], reals[block.row_of[row_of(b)]]);
        });
    });
    if (some) out.tried = cuts_counted(s, out, allowed);
    return out;
}

template <class Entry>
void set_listed_missing(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known,
                        Scratch& scratch) {
    const std::int32_t n = node.rows();
    scratch.touched.resize(n - known);
    for (std::int32_t i = known; i < n; ++i) scratch.touched[i - known] = row_of(list[i]);
    set_missing(s, node, scratch.touched, scratch.missing);
}

template void set_listed_missing<std::uint32_t>(const Scoring&, const NodeView&, const std::uint32_t*, std::int32_t,
                                                Scratch&);
template void set_listed_missing<std::uint64_t>(const Scoring&, const NodeView&, const std::uint64_t*, std::int32_t,
                                                Scratch&);
template Cut best_cut_of_list<std::uint64_t>(const Scoring&, const AnyBlock&, const std::uint64_t*, std::int32_t,
                                             const ListScan&, Scratch&);

namespace {

// The split information of a cut of n entries.
template <class Entry>
double information_of(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t n, std::int32_t below,
                      double unknown) {
    double sides[2] = {0, 0};
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t row = row_of(list[i]);
        sides[i >= below] += static_cast<double>(block.weight_of(row)) * s.factor[block.classes[row]];
    }
    return split_information({nullptr, sides, 2, 1, unknown}, true);
}

void best_in_imputed(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out) {
    const ImputedList& imputed = scratch.imputed;
    const std::uint64_t* list = imputed.list.data();
    const auto n = static_cast<std::int32_t>(imputed.list.size());
    const ListScan scan{node.totals, 0.0, s.tolerance(node.impurity), out.column, imputed.values.data()};
    const Cut cut = best_cut_of_list(s, node.block, list, n, scan, scratch);
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.below = imputed.known_below(cut.at);
    out.missing_branch = imputed.branch(cut.at);
    out.score = cut.score;
    if (s.needs_information) out.information = information_of(s, node.block, list, n, cut.at, 0.0);
    s.finish(out, 1.0, cut.tried, node.totals);
}

// The best cut of the known rows.
template <class Entry>
void best_of_known(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, Scratch& scratch,
                   Candidate& out) {
    const bool is_whole = known == node.rows();
    Totals of_known;
    if (!is_whole) {
        scratch.touched.resize(known);
        for (std::int32_t i = 0; i < known; ++i) scratch.touched[i] = row_of(list[i]);
        of_known = sum_rows(s, node.block, scratch.touched.data(), known);
    }
    const bool scored = !is_whole && scores_own_branch(s, scratch.missing);
    const Totals& sums = is_whole ? node.totals : of_known;
    const double all = is_whole ? 1.0 : s.mass(node.totals), fraction = is_whole || scored ? 1.0 : s.mass(sums) / all;
    const double unknown = is_whole ? 0.0 : all - s.mass(sums);
    const ListScan scan{sums, scored ? 0.0 : unknown, s.tolerance(node.impurity) / fraction, out.column};
    const Cut cut = best_cut_of_list(s, node.block, list, known, scan, scratch);
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.below = cut.at;
    out.score = cut.score;
    if (scored) out.own = OwnBranch::scored;
    if (s.needs_information) out.information = information_of(s, node.block, list, known, cut.at, unknown);
    s.finish(out, fraction, cut.tried, node.totals);
}

template <class Entry>
Candidate best_in_list(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t column,
                       Scratch& scratch) {
    Candidate out;
    out.column = column;
    const std::int32_t n = node.rows(), known = s.columns[column].has_missing ? known_entries(list, n) : n;
    if (s.plan.missing.mode != MissingMode::apart && known < n) set_listed_missing(s, node, list, known, scratch);
    if (known < 2 || rank_of(list[0]) == rank_of(list[known - 1])) {
        out.type = Candidate::Type::constant;
    } else if (s.plan.missing.mode == MissingMode::either && known < n) {
        best_either_in_list(s, node, list, known, scratch, out);
    } else if (s.plan.missing.impute != ImputeBy::nothing && known < n) {
        impute_list(s, node, column, list, known, scratch.imputed);
        best_in_imputed(s, node, scratch, out);
    } else {
        best_of_known(s, node, list, known, scratch, out);
    }
    return out;
}

}  // namespace

Candidate best_listed(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    return with_entries(node.block, [&](const auto& typed) {
        return best_in_list(s, node, typed.list(column) + node.begin, column, scratch);
    });
}

}  // namespace hornbeam
