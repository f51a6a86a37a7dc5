#include "missing/missing_counts.hpp"

#include <algorithm>

namespace hornbeam {

std::vector<double> missing_and_others(const Scoring& s, const Holes& holes, const Totals& totals) {
    std::vector<double> out = holes.distribution;
    if (const std::size_t width = out.size(); width > 0) {
        out.resize(2 * width, 0.0);
        const TargetOrder& order = *totals.order;
        for (std::size_t i = 0; i < order.place.size(); ++i)
            out[width + order.place[i]] +=
                static_cast<double>(order.weights.empty() ? 1 : order.weights[i]) * s.plan.target.weight_unit;
        for (std::size_t k = 0; k < width; ++k) out[width + k] -= out[k];
        return out;
    }
    std::vector<std::int64_t> known = totals.cell;
    for (std::size_t k = 0; k < known.size(); ++k) known[k] -= holes.cell[k];
    out.assign(2 * known.size(), 0.0);
    s.statistic.add_real(holes.cell.data(), totals.cell.data(), out.data());
    s.statistic.add_real(known.data(), totals.cell.data(), out.data() + known.size());
    return out;
}

void set_holes(const Scoring& s, const NodeView& node, const std::vector<std::uint32_t>& rows, Holes& holes) {
    holes = Holes{};
    holes.rows = static_cast<std::int64_t>(rows.size());
    holes.cell = s.statistic.empty_cell();
    const RowTargets targets = node.block.targets();
    std::visit(
        [&](const auto& statistic) {
            for (const std::uint32_t row : rows) statistic.add(targets, row, holes.cell.data());
        },
        s.statistic);
    holes.weight = s.statistic.weight(holes.cell.data());
    if (!node.totals.order) return;
    holes.distribution.assign(node.totals.order->numbers.size(), 0.0);
    for (const std::uint32_t row : rows)
        holes.distribution[node.totals.order->place[node.block.target_rank[row]]] +=
            static_cast<double>(node.block.weight_of(row)) * s.plan.target.weight_unit;
}

void set_holes(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    scratch.holes = Holes{};
    if (s.plan.missing.counted == HoleRule::apart || !s.columns[column].has_missing) return;
    const SourceColumn& source = s.plan.columns[column];
    scratch.touched.clear();
    for (std::int32_t i = node.begin; i < node.end; ++i)
        if (const std::uint32_t row = node.block.order[i]; source.is_missing(node.block.row_of[row]))
            scratch.touched.push_back(row);
    set_holes(s, node, scratch.touched, scratch.holes);
}

void set_holes(const Scoring& s, const std::int64_t* cell, std::int64_t rows, Holes& holes) {
    holes = Holes{};
    holes.rows = rows;
    holes.cell.assign(cell, cell + s.statistic.width());
    holes.weight = s.statistic.weight(cell);
}

// Whether missing values are enough for a branch of their own.
bool are_own_branch(const Scoring& s, const Holes& holes) {
    const Least low = s.plain_least;
    return s.plan.missing.counted == HoleRule::branch && holes.rows > 0 && holes.rows >= low.rows &&
           holes.weight >= low.weight;
}

// Whether cuts are scored with the branch of missing values: where the score is no sum of two. Says what they are then.
bool are_scored_apart(const Scoring& s, Holes& holes) {
    if (s.criterion->is_impurity() || !are_own_branch(s, holes)) return false;
    holes.own.assign(s.statistic.width(), 0.0);
    s.statistic.add_real(holes.cell.data(), holes.cell.data(), holes.own.data());
    return true;
}

// Levels are grouped with missing values on either side, or beside them: the table holds their statistics too.
void add_holes_to_levels(const Scoring& s, const Totals& totals, Scratch& scratch) {
    LevelTable& table = scratch.levels;
    table.holes.clear();
    table.own.clear();
    const bool is_own = are_own_branch(s, scratch.holes);
    if (!counts_holes(s, scratch.holes)) return;
    const std::vector<double> sides = missing_and_others(s, scratch.holes, totals);
    (is_own ? table.own : table.holes).assign(sides.begin(), sides.begin() + table.width);
    table.holes_rows = scratch.holes.rows;
    table.holes_weight = scratch.holes.weight;
    table.unknown = 0.0;
}

void vary_by_missing(const Scoring& s, const Totals& totals, const Holes& holes, Candidate& out) {
    if (out.type != Candidate::Type::constant || holes.rows == 0 || holes.rows == totals.rows) return;
    const Kind kind = s.columns[out.column].kind;
    const bool reads_bins = s.plan.cuts.bins > 0 && kind != Kind::nominal && !s.plan.reads_values(kind);
    const bool varies = !reads_bins || s.plan.missing.counted == HoleRule::either || are_own_branch(s, holes);
    if (varies) out.type = Candidate::Type::none;
}

void consider_missing(const Scoring& s, const Totals& totals, double impurity, const Holes& holes, Candidate& out) {
    const std::int64_t known = totals.rows - holes.rows;
    if (holes.rows == 0 || known == 0) return;
    const Least low = s.plain_least;
    const std::int64_t known_weight = totals.weight - holes.weight;
    if (holes.rows < low.rows || known < low.rows || holes.weight < low.weight || known_weight < low.weight) return;
    const bool is_class = s.plan.target.is_class(), own = s.plan.missing.counted == HoleRule::branch;
    const std::vector<double> sides = missing_and_others(s, holes, totals);
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
            // A decrease of impurity in three parts is the sum of two decreases.
            each->gain += gain;
            each->score += score;
            if (s.criterion->forbids(split)) each->type = Candidate::Type::none;
        }
        if (own && each->own != OwnBranch::none) each->missing_branch = each->n_branches++;
        is_beaten = is_beaten || (each->found() && each->score - score > (own ? bar : -bar));
    }
    if (is_beaten) return;
    out = {.column = out.column};
    // Only the column's own searches allow questions of gain 0, and "is it missing?" is not among them.
    if (!s.finds_zero && !(score > bar)) return;
    out.type = Candidate::Type::missing;
    out.missing_branch = 0;
    out.gain = gain;
    out.score = score;
    out.information = split_information(split, !is_class);
}

}  // namespace hornbeam
