// Surrogates of a node whose rows are elsewhere: every column is compared with the sides that rows take.
#include "missing/surrogates.hpp"

#include <algorithm>
#include <cmath>

#include "pieces/node_search.hpp"

namespace hornbeam {
namespace {

constexpr int UNKNOWN_SIDE = 2;

// The sides of every code of a column, from cells whose classes are the sides.
AgreementCounts agreement_counts(const std::vector<std::int64_t>& cells, const ReadyColumn& column, bool is_weighted) {
    AgreementCounts out;
    out.is_nominal = column.kind == Kind::nominal;
    const int width = UNKNOWN_SIDE + 1 + is_weighted;
    for (std::uint32_t code = 0; code < column.n_codes; ++code) {
        const std::int64_t* cell = cells.data() + static_cast<std::size_t>(code) * width;
        const bool is_present = cell[0] != 0 || cell[1] != 0 || cell[UNKNOWN_SIDE] != 0;
        if (!out.is_nominal && !is_present) continue;
        for (int side = 0; side < 2; ++side) {
            out.branch_weight.push_back(static_cast<double>(cell[side]));
            out.both.weight[side] += static_cast<double>(cell[side]);
        }
        out.rows.push_back(is_weighted ? cell[width - 1] : cell[0] + cell[1]);
        out.both.rows += out.rows.back();
        if (out.is_nominal) continue;
        out.values.push_back(column.high_of(code));
        out.lows.push_back(column.low_of(code));
    }
    return out;
}

RouteQuestion route_by(const KeptQuestion& question, const ReadyColumn& column) {
    RouteQuestion out{question.column, std::vector<std::int16_t>(column.n_codes + 1, -1)};
    for (std::uint32_t code = 0; code < column.n_codes; ++code) {
        const int branch = question.branch_of.empty() ? column.high_of(code) > question.cut : question.branch_of[code];
        if (branch >= 0) out.branch_of[code] = static_cast<std::int16_t>(question.is_flipped ? 1 - branch : branch);
    }
    return out;
}

}  // namespace

void NodeSearch::choose_surrogates(PieceNode& node, const FillSides& fill) const {
    Sides decided;
    for (int side = 0; side < 2; ++side) {
        decided.weight[side] = static_cast<double>(node.branches[side].weight);
        decided.rows += node.branches[side].rows;
    }
    std::vector<std::int64_t> cells;
    for (const std::int32_t column : node.active) {
        if (plan_.missing.surrogates == 0 || column == node.best.column) continue;
        fill(column, cells);
        AgreementCounts table = agreement_counts(cells, columns_[column], shape_.is_weighted);
        table.column = column;
        if (auto found = best_surrogate(table, decided, plan_.missing.surrogates_of_known))
            node.surrogates.push_back(std::move(*found));
    }
    keep_best(node.surrogates, static_cast<std::size_t>(plan_.missing.surrogates));
    for (const KeptQuestion& kept : node.surrogates) node.questions.push_back(route_by(kept, columns_[kept.column]));
    node.missing_branch = undecided_branch(plan_.missing, decided.weight[0], decided.weight[1]);
}

}  // namespace hornbeam
