#include "growing/search.hpp"

#include <cmath>
#include <limits>

#include "growing/interval_search.hpp"
#include "growing/marked_cuts.hpp"
#include "growing/quantile_search.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"

namespace hornbeam {
namespace {

// Whether the values of a column differ at a node.
bool differs(const Scoring& s, const NodeView& node, std::int32_t column) {
    double first = std::numeric_limits<double>::quiet_NaN();
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const double x = s.plan.columns[column].number(node.block.row_of[node.block.order[i]]);
        if (x < first || x > first) return true;
        if (!std::isnan(x)) first = x;
    }
    return false;
}

// Whether the values within bins differ at a node, if another search reads them.
bool differs_inside(const Scoring& s, const NodeView& node, std::int32_t column) {
    const ReadyColumn& ready = s.columns[column];
    return ready.is_binned() && s.plan.reads_values(ready.kind) && differs(s, node, column);
}

Candidate best_of_column(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    const bool in_many = s.plan.cuts.intervals > 0 && ready.kind != Kind::nominal;
    if (in_many && (!s.plan.cuts.intervals_with_cuts || s.plan.cuts.random))
        return best_intervals(s, node, column, span, scratch);
    Candidate out = s.plan.criterion.quantile >= 0 ? best_by_quantile(s, node, column, scratch)
                    : ready.is_listed              ? best_listed(s, node, column, scratch)
                                                   : best_coded(s, node, column, span, scratch);
    if (out.type == Candidate::Type::constant && differs_inside(s, node, column)) out.type = Candidate::Type::none;
    if (in_many) out.add(std::make_shared<Candidate>(best_intervals(s, node, column, span, scratch)));
    return out;
}

}  // namespace

Candidate best_by_value(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    const Kind kind = s.columns[column].kind;
    scratch.missing.rows = scratch.imputed.n_missing = 0;
    if (kind == Kind::nominal ? node.is_used(column) || !s.plan.levels : !s.plan.cuts.is_used) {
        if (!s.plan.reads(kind)) return {.column = column};
        set_missing(s, node, column, scratch);
        return {.type = differs(s, node, column) ? Candidate::Type::none : Candidate::Type::constant, .column = column};
    }
    Candidate out = best_of_column(s, node, column, span, scratch);
    scratch.missing.own.clear();
    return out;
}

Candidate best_question(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    Candidate out = best_by_value(s, node, column, span, scratch);
    if (s.plan.missing.mode == MissingMode::apart || !s.columns[column].has_missing) return out;
    vary_by_missing(s, node.totals, scratch.missing, out);
    if (!s.plan.tests_missing_last()) consider_missing(s, node.totals, node.impurity, scratch.missing, out);
    return out;
}

void complete(const Scoring& s, const NodeView& node, Candidate& best) {
    list_branches(s, best);
    const int width = s.plan.target.n_classes;
    const bool is_score = !s.criterion->is_impurity() && width > 0;
    std::vector<std::int64_t> counts(is_score ? static_cast<std::size_t>(best.n_branches) * width : 0, 0);
    const auto add = [&](std::uint32_t row, std::int32_t branch) {
        counts[branch * width + node.block.classes[row]] += node.block.weight_of(row);
    };
    if (best.type == Candidate::Type::missing || best.cuts || best.many || best.own == OwnBranch::none) {
        if (s.choice == Choice::ratio_above_average) best.score /= best.information;
        return;
    }
    if (s.columns[best.column].is_listed) {
        const Reals reals = s.plan.columns[best.column].reals;
        with_entries(node.block, [&](const auto& typed) {
            const auto* list = typed.list(best.column) + node.begin;
            using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
            best.low = reals[node.block.row_of[row_of(list[best.below - 1])]];
            best.high = reals[node.block.row_of[row_of(list[best.below])]];
            if (s.plan.missing.impute != ImputeBy::nothing && best.missing_branch >= 0)
                include_value(imputed_value(s, node, best.column), best);
            for (std::int32_t i = 0; is_score && i < node.rows(); ++i) {
                if (rank_of(list[i]) != NO_RANK<Entry>)
                    add(row_of(list[i]), i >= best.below);
                else if (best.missing_branch >= 0)
                    add(row_of(list[i]), best.missing_branch);
            }
        });
    } else if (is_score) {
        const SourceColumn& source = s.plan.columns[best.column];
        const auto branch_of = best.groups ? best.groups->branch_of : std::vector<std::int32_t>();
        for (std::int32_t i = node.begin; i < node.end; ++i) {
            const std::uint32_t row = node.block.order[i];
            const std::int32_t known = source.branch(node.block.row_of[row], best.low, branch_of);
            if (const std::int32_t branch = known < 0 ? best.missing_branch : known; branch >= 0) add(row, branch);
        }
    }
    set_gain(s, counts, node.totals, best);
}

std::int64_t count_cuts(const Scoring& s, const NodeView& node, std::int32_t column, Span span, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    if (ready.kind == Kind::nominal) return 0;
    const bool either = s.plan.missing.mode == MissingMode::either;
    scratch.missing.rows = 0;
    if (!ready.is_listed) {
        CodeTable& table = scratch.codes;
        count_codes(s, node, column, span, table);
        if (imputes(s, column)) impute_codes(s, node, column, scratch);
        if (either) set_missing(s, table.of(ready.n_codes), table.rows[ready.n_codes], scratch.missing);
        std::int64_t weight = 0;
        for (const std::uint32_t code : table.present) weight += s.statistic.weight(table.of(code));
        const std::int64_t count = mark_code_cuts(s, table, weight, scratch);
        table.clear(ready.n_codes);
        return count;
    }
    return with_entries(node.block, [&](const auto& typed) {
        const auto* list = typed.list(column) + node.begin;
        const std::int32_t n = node.rows(), known = known_entries(list, n);
        if (s.plan.missing.impute != ImputeBy::nothing && 0 < known && known < n) {
            impute_list(s, node, column, list, known, scratch.imputed);
            return mark_cuts(s, node.block, scratch.imputed.list.data(), n, node.totals.weight, scratch);
        }
        if (either && known < n) set_listed_missing(s, node, list, known, scratch);
        std::int64_t weight = 0;
        for (std::int32_t i = 0; i < known; ++i) weight += node.block.weight_of(row_of(list[i]));
        return mark_cuts(s, node.block, list, known, weight, scratch);
    });
}

}  // namespace hornbeam
