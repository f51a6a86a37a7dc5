#include "missing/missing_counts.hpp"

#include <algorithm>

namespace hornbeam {

// The statistics of missing values, then those of all other rows of the node.
void set_side(const Scoring& s, const Holes& holes, double* stats, const Totals& totals) {
    std::vector<std::int64_t> known = totals.cell;
    for (std::size_t k = 0; k < known.size(); ++k) known[k] -= holes.cell[k];
    std::fill_n(stats, 2 * known.size(), 0.0);
    s.statistic.add_real(holes.cell.data(), totals.cell.data(), stats);
    s.statistic.add_real(known.data(), totals.cell.data(), stats + known.size());
}

void set_holes(const Scoring& s, const AnyBlock& block, const std::vector<std::uint32_t>& rows, Holes& holes) {
    holes = Holes{};
    holes.rows = static_cast<std::int64_t>(rows.size());
    holes.cell = s.statistic.empty_cell();
    const RowTargets targets = block.targets();
    std::visit(
        [&](const auto& statistic) {
            for (const std::uint32_t row : rows) statistic.add(targets, row, holes.cell.data());
        },
        s.statistic);
    holes.weight = s.statistic.weight(holes.cell.data());
}

void set_holes(const Scoring& s, const std::int64_t* cell, std::int64_t rows, Holes& holes) {
    holes = Holes{};
    holes.rows = rows;
    holes.cell.assign(cell, cell + s.statistic.width());
    holes.weight = s.statistic.weight(cell);
}

void set_missing_rows(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    scratch.holes = Holes{};
    if (s.plan.missing.counted == HoleRule::apart) return;
    const SourceColumn& source = s.plan.columns[column];
    scratch.touched.clear();
    for (std::int32_t i = node.begin; i < node.end; ++i)
        if (const std::uint32_t row = node.block.order[i]; source.is_missing(node.block.row_of[row]))
            scratch.touched.push_back(row);
    set_holes(s, node.block, scratch.touched, scratch.holes);
}

// Whether missing values are enough for a branch of their own.
bool are_own_branch(const Scoring& s, const Holes& holes) {
    const Least low = s.least(0, false);
    return s.plan.missing.counted == HoleRule::branch && holes.rows > 0 && holes.rows >= low.rows &&
           holes.weight >= low.weight;
}

// Whether cuts are scored with the branch of missing values: where the score is no sum of two. Says what they are then.
bool are_scored_apart(const Scoring& s, Holes& holes) {
    if (s.criterion->is_impurity() || !are_own_branch(s, holes)) return false;
    holes.own.assign(s.statistic.width(), 0.0);
    s.statistic.add_real(holes.cell.data(), holes.cell.data(), holes.own.data());
    return holes.is_scored = true;
}

// Levels are grouped with missing values on either side, or beside them: the table holds their statistics too.
void add_holes_to_levels(const Scoring& s, const Totals& totals, Scratch& scratch) {
    LevelTable& table = scratch.levels;
    table.holes.clear();
    table.own.clear();
    const bool is_own = are_own_branch(s, scratch.holes);
    if ((s.plan.missing.counted != HoleRule::either && !is_own) || scratch.holes.rows == 0) return;
    std::vector<double> sides(2 * table.width);
    set_side(s, scratch.holes, sides.data(), totals);
    scratch.holes.is_scored = is_own;
    (is_own ? table.own : table.holes).assign(sides.begin(), sides.begin() + table.width);
    table.holes_rows = scratch.holes.rows;
    table.holes_weight = scratch.holes.weight;
    table.unknown = 0.0;
}

namespace {

// Whether missing values make a column vary that has one bin or value at a node: where a search reads bins alone, only
// if they count (BinnedCuts.varies).
bool make_vary(const Scoring& s, const Holes& holes, std::int32_t column) {
    const Kind kind = s.columns[column].kind;
    const bool reads_bins = s.plan.cuts.bins > 0 && kind != Kind::nominal && !s.plan.reads_values(kind);
    return !reads_bins || s.plan.missing.counted == HoleRule::either || are_own_branch(s, holes);
}

}  // namespace

// "Is it missing?" competes with the column's other question; where missing values are a branch of their own that was
// not scored yet the decrease by that question is added: a decrease of impurity in three parts is the sum of both.
void consider_missing(const Scoring& s, const Totals& totals, double impurity, const Holes& holes, Candidate& out) {
    const std::int64_t known = totals.rows - holes.rows;
    if (holes.rows == 0 || known == 0) return;
    if (out.type == Candidate::Type::constant && make_vary(s, holes, out.column)) out.type = Candidate::Type::none;
    const Least low = s.least(0, false);
    const std::int64_t known_weight = totals.weight - holes.weight;
    if (holes.rows < low.rows || known < low.rows || holes.weight < low.weight || known_weight < low.weight) return;
    const bool is_class = s.plan.target.is_class();
    const int width = s.statistic.width();
    std::vector<double> sides(2 * width), parent(width);
    set_side(s, holes, sides.data(), totals);
    for (int k = 0; k < width; ++k) parent[k] = sides[k] + sides[width + k];
    const SplitStats split{parent.data(), sides.data(), 2, width, 0.0, nullptr, is_class ? 0.0 : s.mean_target(totals)};
    const double score = s.criterion->score(split);
    const bool own = s.plan.missing.counted == HoleRule::branch;
    if (own && out.found() && !holes.is_scored && s.criterion->forbids(split)) out.type = Candidate::Type::none;
    if (!s.plan.criterion.zero_gain && !(score > s.tolerance(impurity)) && !(out.found() && own)) return;
    const double gain = is_class && !s.criterion->is_impurity() ? s.criterion->decrease(split) : score;
    if (out.found() && own && !holes.is_scored) out.gain += gain, out.score += score;
    if (out.found() && own && out.score - score > s.tolerance(impurity)) {
        out.missing_branch = out.n_branches++;
        return;
    }
    const double bar = out.found() ? out.score : s.least(0, true).start(0.0);
    if (!own && !(score - bar > s.tolerance(impurity))) return;
    if (!s.plan.criterion.zero_gain && !(score > s.tolerance(impurity))) {
        // Only the column's own search allows questions of gain 0, and "is it missing?" is not among them.
        out.type = Candidate::Type::none;
        return;
    }
    out.type = Candidate::Type::missing;
    out.n_branches = 2;
    out.missing_branch = 0;
    out.is_free = false;
    out.gain = gain;
    out.score = score;
    double weights[2] = {0, 0};
    for (int b = 0; b < 2; ++b) weights[b] = is_class ? total(sides.data() + b * width, width) : sides[b * width];
    out.information = split_information({nullptr, weights, 2, 1, 0.0}, true);
}

}  // namespace hornbeam
