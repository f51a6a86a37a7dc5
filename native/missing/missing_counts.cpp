#include "missing/missing_counts.hpp"

#include <algorithm>

namespace hornbeam {

std::vector<double> missing_and_others(const Scoring& s, const MissingStats& missing, const Totals& totals) {
    std::vector<double> out = missing.distribution;
    if (const std::size_t width = out.size(); width > 0) {
        out.resize(2 * width, 0.0);
        const TargetOrder& order = *totals.order;
        for (std::size_t i = 0; i < order.value_index.size(); ++i)
            out[width + order.value_index[i]] +=
                static_cast<double>(order.weights.empty() ? 1 : order.weights[i]) * s.plan.target.weight_unit;
        for (std::size_t k = 0; k < width; ++k) out[width + k] -= out[k];
        return out;
    }
    std::vector<std::int64_t> known = totals.cell;
    for (std::size_t k = 0; k < known.size(); ++k) known[k] -= missing.cell[k];
    out.assign(2 * known.size(), 0.0);
    s.statistic.add_real(missing.cell.data(), totals.cell.data(), out.data());
    s.statistic.add_real(known.data(), totals.cell.data(), out.data() + known.size());
    return out;
}

void set_missing(const Scoring& s, const NodeView& node, const std::vector<std::uint32_t>& rows,
                 MissingStats& missing) {
    missing = MissingStats{};
    missing.rows = static_cast<std::int64_t>(rows.size());
    missing.cell = s.statistic.empty_cell();
    const RowTargets targets = node.block.targets();
    std::visit(
        [&](const auto& statistic) {
            for (const std::uint32_t row : rows) statistic.add(targets, row, missing.cell.data());
        },
        s.statistic);
    missing.weight = s.statistic.weight(missing.cell.data());
    if (!node.totals.order) return;
    missing.distribution.assign(node.totals.order->numbers.size(), 0.0);
    for (const std::uint32_t row : rows)
        missing.distribution[node.totals.order->value_index[node.block.target_rank[row]]] +=
            static_cast<double>(node.block.weight_of(row)) * s.plan.target.weight_unit;
}

void set_missing(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    scratch.missing = MissingStats{};
    if (s.plan.missing.mode == MissingMode::apart || !s.columns[column].has_missing) return;
    const SourceColumn& source = s.plan.columns[column];
    scratch.touched.clear();
    for (std::int32_t i = node.begin; i < node.end; ++i)
        if (const std::uint32_t row = node.block.order[i]; source.is_missing(node.block.row_of[row]))
            scratch.touched.push_back(row);
    set_missing(s, node, scratch.touched, scratch.missing);
}

void set_missing(const Scoring& s, const std::int64_t* cell, std::int64_t rows, MissingStats& missing) {
    missing = MissingStats{};
    missing.rows = rows;
    missing.cell.assign(cell, cell + s.statistic.width());
    missing.weight = s.statistic.weight(cell);
}

bool has_own_branch(const Scoring& s, const MissingStats& missing) {
    const MinSize low = s.fixed_min_size;
    return s.plan.missing.mode == MissingMode::branch && missing.rows > 0 && missing.rows >= low.rows &&
           missing.weight >= low.weight;
}

bool scores_own_branch(const Scoring& s, MissingStats& missing) {
    if (s.criterion->is_impurity() || !has_own_branch(s, missing)) return false;
    missing.own.assign(s.statistic.width(), 0.0);
    s.statistic.add_real(missing.cell.data(), missing.cell.data(), missing.own.data());
    return true;
}

void add_missing_to_levels(const Scoring& s, const Totals& totals, Scratch& scratch) {
    LevelTable& table = scratch.levels;
    table.missing.clear();
    table.own.clear();
    const bool is_own = has_own_branch(s, scratch.missing);
    if (!counts_missing(s, scratch.missing)) return;
    const std::vector<double> sides = missing_and_others(s, scratch.missing, totals);
    (is_own ? table.own : table.missing).assign(sides.begin(), sides.begin() + table.width);
    table.missing_rows = scratch.missing.rows;
    table.missing_weight = scratch.missing.weight;
    table.unknown = 0.0;
}

void vary_by_missing(const Scoring& s, const Totals& totals, const MissingStats& missing, Candidate& out) {
    if (out.type != Candidate::Type::constant || missing.rows == 0 || missing.rows == totals.rows) return;
    const Kind kind = s.columns[out.column].kind;
    const bool reads_bins = s.plan.cuts.bins > 0 && kind != Kind::nominal && !s.plan.reads_values(kind);
    const bool varies = !reads_bins || s.plan.missing.mode == MissingMode::either || has_own_branch(s, missing);
    if (varies) out.type = Candidate::Type::none;
}

void consider_missing(const Scoring& s, const Totals& totals, double impurity, const MissingStats& missing,
                      Candidate& out) {
    const std::int64_t known = totals.rows - missing.rows;
    if (missing.rows == 0 || known == 0) return;
    const MinSize low = s.fixed_min_size;
    const std::int64_t known_weight = totals.weight - missing.weight;
    if (missing.rows < low.rows || known < low.rows || missing.weight < low.weight || known_weight < low.weight) return;
    const bool is_class = s.plan.target.is_class(), own = s.plan.missing.mode == MissingMode::branch;
    const std::vector<double> sides = missing_and_others(s, missing, totals);
    const auto width = static_cast<int>(sides.size() / 2);
    std::vector<double> parent(width);
    for (int k = 0; k < width; ++k) parent[k] = sides[k] + sides[width + k];
    const SplitStats split{parent.data(),
                           sides.data(),
                           2,
                           width,
                           0.0,
                           totals.order ? totals.order->rounded.data() : nullptr,
                           is_class ? 0.0 : s.mean_target(totals)};
    const double score = s.criterion->score(split), bar = s.tolerance(impurity);
    const double gain = is_class && !s.criterion->is_impurity() ? s.criterion->decrease(split) : score;
    bool is_beaten = false;
    for (Candidate* each = &out; each; each = each->second.get()) {
        if (own && each->own == OwnBranch::to_add) {
            // The decrease of impurity by three branches is the sum of two decreases.
            each->gain += gain;
            each->score += score;
            if (s.criterion->forbids(split)) each->type = Candidate::Type::none;
        }
        if (own && each->own != OwnBranch::none) each->missing_branch = each->n_branches++;
        is_beaten = is_beaten || (each->found() && each->score - score > (own ? bar : -bar));
    }
    if (is_beaten) return;
    out = {.column = out.column};
    // Only the searches of the column allow gain 0; "is missing" is not one of them.
    if (!s.finds_zero && !(score > bar)) return;
    out.type = Candidate::Type::missing;
    out.missing_branch = 0;
    out.gain = gain;
    out.score = score;
    out.information = split_information(split, !is_class);
}

}  // namespace hornbeam
