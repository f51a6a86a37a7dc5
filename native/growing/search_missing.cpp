// The best cut of a column whose missing values may take either branch.
#include <type_traits>

#include "growing/marked_cuts.hpp"
#include "growing/search.hpp"
#include "missing/missing_directions.hpp"
#include "nodes/cut_kernel.hpp"

namespace hornbeam {
namespace {

// Calls use(above, below, to_gain) with two kernels; the second is a copy of the first with its own class counts.
template <class Use>
Cut with_two_kernels(const Scoring& s, const AnyBlock& block, const Totals& totals, Scratch& scratch, const Use& use) {
    return with_kernel(s, block, totals, 0.0, scratch, [&](auto& above, double to_gain) {
        auto below = above;
        below.count_in(scratch.second_counts);
        return use(above, below, to_gain);
    });
}

// The best cut of a list whose first `known` entries have values, or of codes; for `sides_of` see best_cut_either. It
// is a template argument, so that the code that tries all cuts stays small.
template <class Entry, class SidesOf>
Cut find_either_in_list(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, Scratch& scratch,
                        const SidesOf& sides_of) {
    const AnyBlock& block = node.block;
    const Totals& totals = node.totals;
    const std::int32_t n = node.rows();
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    const MinSize low = s.min_size(totals.weight, s.plan.cuts.c45_size);
    return with_two_kernels(s, block, totals, scratch, [&](auto& above, auto& below, double to_gain) {
        using Kernel = std::remove_reference_t<decltype(above)>;
        for (std::int32_t i = known; i < n; ++i) below.add(row_of(list[i]));
        MissingDirectionSearch<Kernel> search(above, below, {n, n - known, totals.weight - scratch.missing.weight},
                                              {low, s.tolerance(node.impurity) / to_gain}, scratch.cuts);
        return best_cut_either(list, known, weights, std::move(search), sides_of);
    });
}

template <class SidesOf>
Cut find_either_in_codes(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch,
                         const SidesOf& sides_of) {
    const CodeTable& table = scratch.codes;
    const MinSize low = s.min_size(node.totals.weight, s.plan.cuts.c45_size);
    return with_two_kernels(s, node.block, node.totals, scratch, [&](auto& above, auto& below, double to_gain) {
        using Kernel = std::remove_reference_t<decltype(above)>;
        below.add_counts(table.of(s.columns[column].n_codes));
        MissingDirectionSearch<Kernel> search(
            above, below, {node.totals.rows, scratch.missing.rows, node.totals.weight - scratch.missing.weight},
            {low, s.tolerance(node.impurity) / to_gain}, scratch.cuts);
        return best_code_cut_either(
            table, [&](const std::int64_t* cell) { return s.statistic.weight(cell); }, std::move(search), sides_of);
    });
}

}  // namespace

template <class Entry>
void best_either_in_list(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known,
                         Scratch& scratch, Candidate& out) {
    const AnyBlock& block = node.block;
    const Totals& totals = node.totals;
    const std::int32_t n = node.rows();
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    const Reals reals = s.plan.columns[out.column].reals;
    const auto find = [&](const auto& sides_of) {
        return find_either_in_list(s, node, list, known, scratch, sides_of);
    };
    Cut cut;
    std::int64_t allowed = 0;
    if (has_marked_cuts(s)) {
        allowed = mark_cuts(s, block, list, known, totals.weight - scratch.missing.weight, scratch);
        cut = find([&](Entry a, Entry) { return scratch.is_marked[row_of(a)]; });
    } else if (!s.plan.cuts.c45_size) {
        cut = find([](Entry, Entry) { return true; });
    } else {
        cut = find([&](Entry a, Entry b) {
            return are_apart(reals[block.row_of[row_of(a)]], reals[block.row_of[row_of(b)]]);
        });
    }
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.below = cut.at / 2;
    out.missing_branch = cut.at % 2;
    out.score = cut.score;
    if (s.needs_information) {
        double sides[2] = {0, 0};
        for (std::int32_t i = 0; i < n; ++i) {
            const std::uint32_t row = row_of(list[i]);
            const int side = i < out.below ? 0 : i < known ? 1 : out.missing_branch;
            sides[side] += static_cast<double>(weights ? weights[row] : 1) * s.factor[block.classes[row]];
        }
        out.information = split_information({nullptr, sides, 2, 1, 0.0}, true);
    }
    s.finish(out, 1.0, cuts_counted(s, cut, allowed), totals);
}

void best_either_of_codes(const Scoring& s, const NodeView& node, Scratch& scratch, Candidate& out) {
    const ReadyColumn& ready = s.columns[out.column];
    const CodeTable& table = scratch.codes;
    const auto find = [&](const auto& sides_of) {
        return find_either_in_codes(s, node, out.column, scratch, sides_of);
    };
    Cut cut;
    std::int64_t allowed = 0;
    if (has_marked_cuts(s)) {
        allowed = mark_code_cuts(s, table, node.totals.weight - scratch.missing.weight, scratch);
        cut = find([&](std::uint32_t a, std::uint32_t) { return scratch.is_marked[a]; });
    } else {
        const bool must_differ = s.plan.cuts.c45_size && ready.kind == Kind::numeric;
        cut = find([&](std::uint32_t a, std::uint32_t b) {
            return !must_differ || are_apart(ready.high_of(a), ready.low_of(b));
        });
    }
    if (cut.at < 0) return;
    const std::uint32_t last = table.present[cut.at / 2], next = table.present[cut.at / 2 + 1];
    out.type = Candidate::Type::cut;
    out.missing_branch = cut.at % 2;
    out.score = cut.score;
    out.code = last;
    out.low = ready.high_of(last);
    out.high = ready.low_of(next);
    if (s.needs_information) {
        double sides[2] = {0, 0};
        const auto add = [&](std::uint32_t code, int side) {
            for (int k = 0; k < table.width; ++k) sides[side] += static_cast<double>(table.of(code)[k]) * s.factor[k];
        };
        for (const std::uint32_t code : table.present) add(code, code > last);
        add(ready.n_codes, out.missing_branch);
        out.information = split_information({nullptr, sides, 2, 1, 0.0}, true);
    }
    s.finish(out, 1.0, cuts_counted(s, cut, allowed), node.totals);
}

template void best_either_in_list<std::uint32_t>(const Scoring&, const NodeView&, const std::uint32_t*, std::int32_t,
                                                 Scratch&, Candidate&);
template void best_either_in_list<std::uint64_t>(const Scoring&, const NodeView&, const std::uint64_t*, std::int32_t,
                                                 Scratch&, Candidate&);

}  // namespace hornbeam
