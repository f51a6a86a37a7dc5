#include "growing/side_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "growing/quantile_search.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {

void fill_two_levels(const Scoring& s, const Totals& totals, Scratch& scratch) {
    CodeTable& table = scratch.codes;
    table.present = {0, 1};
    table.known = table.rows[0] + table.rows[1];
    fill_levels(s, totals, 2, scratch);
    table.clear(2);
}

bool fill_branches(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch) {
    if (s.plan.criterion.quantile >= 0) return fill_side_distributions(s, node, sides, scratch);
    CodeTable& table = scratch.codes;
    table.reserve(2, s.statistic.width());
    const RowTargets targets = node.block.targets();
    std::visit(
        [&](const auto& statistic) {
            for (std::int32_t i = 0; i < node.rows(); ++i) {
                const std::uint32_t code = sides[i] < 0 ? 2 : static_cast<std::uint32_t>(sides[i]);
                ++table.rows[code];
                statistic.add(targets, node.block.order[node.begin + i], table.of(code));
            }
        },
        s.statistic);
    fill_two_levels(s, node.totals, scratch);
    return scratch.levels.rows[0] > 0 && scratch.levels.rows[1] > 0;
}

namespace {

// Whether a question is a candidate; C4.5 decides by the average gain instead.
bool may_compete(const Scoring& s, double impurity, double score) {
    return s.finds_zero || s.choice != Choice::first_best || score > s.tolerance(impurity);
}

// The candidate "is missing", if some values are missing and others are not.
std::shared_ptr<Candidate> missing_question(const Scoring& s, const NodeView& node, std::int32_t column,
                                            Scratch& scratch) {
    const SourceColumn& source = s.plan.columns[column];
    RowSides& sides = scratch.sides;
    sides.resize(node.rows());
    for (std::int32_t i = 0; i < node.rows(); ++i)
        sides[i] = !source.is_missing(node.block.row_of[node.block.order[node.begin + i]]);
    if (std::find(sides.begin(), sides.end(), !sides[0]) == sides.end()) return nullptr;
    auto out = std::make_shared<Candidate>();
    if (const auto scored = score_sides(s, node, sides, s.fixed_min_size, scratch))
        if (may_compete(s, node.impurity, scored->score)) {
            *out = *scored;
            out->type = Candidate::Type::missing;
        }
    out->column = column;
    out->rank = Candidate::MISSING_RANK;
    return out;
}

}  // namespace

std::optional<Candidate> score_sides(const Scoring& s, const NodeView& node, const RowSides& sides,
                                     const MinSize& min_size, Scratch& scratch) {
    scratch.levels.missing.clear();
    scratch.levels.own.clear();
    if (!fill_branches(s, node, sides, scratch)) return std::nullopt;
    const LevelTable& table = scratch.levels;
    TwoSides both(table, *s.criterion);
    both.add(0);
    if (!both.allows(min_size)) return std::nullopt;
    const double fraction = table.mass() / (table.mass() + table.unknown);
    Candidate out;
    out.score = both.score();
    s.finish(out, fraction, 1, node.totals);
    if (s.needs_information) out.information = grouping_information(table, {0, 1}, out);
    if (s.plan.target.is_class() && !s.criterion->is_impurity())
        out.gain = s.criterion->decrease(table.split(table.parent, table.stats, 0.0)) * fraction;
    return out;
}

namespace {

std::optional<Candidate> scored_question(const Scoring& s, const NodeView& node, const GivenQuestion& question,
                                         const MinSize& min_size, Scratch& scratch) {
    RowSides& sides = scratch.sides;
    sides.resize(node.rows());
    for (std::int32_t i = 0; i < node.rows(); ++i)
        sides[i] = question.branch[node.block.row_of[node.block.order[node.begin + i]]];
    auto out = score_sides(s, node, sides, min_size, scratch);
    if (!out) return out;
    out->type = Candidate::Type::many;
    out->many = std::make_shared<const ManyQuestion>(question);
    return out;
}

}  // namespace

bool use_first_question(const Job& job, Open& node, Scratch& scratch) {
    const GivenQuestion& question = job.plan.given.first[node.first].question;
    auto found = scored_question(job.scoring, node.view(), question, MinSize{}, scratch);
    if (!found) return false;
    // A score that the criterion does not define is NaN.
    if (!std::isfinite(found->score)) found->score = std::numeric_limits<double>::quiet_NaN();
    node.best = std::move(*found);
    return true;
}

std::optional<Candidate> best_listed_question(const Job& job, const Open& node,
                                              const std::vector<std::int32_t>& competing, Scratch& scratch) {
    const Plan& plan = job.plan;
    const double tolerance = job.scoring.tolerance(node.impurity);
    const auto competes = [&](std::int32_t column) {
        return plan.max_features <= 0 || std::binary_search(competing.begin(), competing.end(), column);
    };
    std::optional<Candidate> best;
    double top = -std::numeric_limits<double>::infinity();
    for (const GivenQuestion& each : plan.given.list) {
        if (!std::all_of(each.columns.begin(), each.columns.end(), competes)) continue;
        const auto scored = scored_question(job.scoring, node.view(), each, job.scoring.fixed_min_size, scratch);
        if (!scored || !(scored->score / each.cost - top > tolerance)) continue;
        best = scored;
        top = scored->score / each.cost;
    }
    if (best && !may_compete(job.scoring, node.impurity, best->score)) return std::nullopt;
    return best;
}

void search_missing(Family& family, Work& work) {
    const Job& job = work.job;
    work.each_column(family.active.size(), [&](std::int64_t i, Scratch& scratch) {
        const std::int32_t column = family.active[i];
        if (!job.columns[column].has_missing) return;
        for (std::size_t s = 0; s < family.searched.size(); ++s) {
            Candidate& found = family.found[s][i];
            // A column has no random question if it was not sampled or does not vary.
            if (job.plan.cuts.random && job.plan.max_features > 0 && found.column < 0) continue;
            found.add(missing_question(job.scoring, family.searched[s]->view(), column, scratch));
        }
    });
}

}  // namespace hornbeam
