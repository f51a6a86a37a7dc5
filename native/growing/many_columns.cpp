// Searches of several columns at a node, after those of single columns.
#include <algorithm>
#include <cmath>

#include "growing/choice.hpp"
#include "growing/conjunction_search.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_scorer.hpp"
#include "growing/search.hpp"
#include "growing/side_search.hpp"

namespace hornbeam {
namespace {

// The branches of the best question about one column, and its cut, as the fits read them.
BestSingle best_single_of(const Candidate& found, double found_cut, const std::vector<std::uint32_t>& rows,
                          const Job& job) {
    BestSingle best_single;
    best_single.n_branches = found.n_branches;
    best_single.missing_branch = found.missing_branch;
    const bool has_own = found.type != Candidate::Type::missing && job.plan.missing.mode == MissingMode::branch &&
                         found.missing_branch >= 0;
    if (found.n_branches - has_own != 2) return best_single;
    const SourceColumn& column = job.plan.columns[found.column];
    const auto branch_of = found.groups ? found.groups->branch_of : std::vector<std::int32_t>();
    best_single.branch.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        best_single.branch[i] = static_cast<std::int8_t>(found.type == Candidate::Type::missing
                                                             ? !column.is_missing(rows[i])
                                                             : column.branch(rows[i], found_cut, branch_of));
    best_single.is_cut = found.type == Candidate::Type::cut;
    best_single.column = found.column;
    best_single.cut = found_cut;
    return best_single;
}

// Sets the decrease of impurity, if the score is another measure, and the split information.
void set_gain_of_many(const Job& job, const Open& node, const std::vector<std::uint32_t>& rows, Scratch& scratch,
                      Candidate& out) {
    const bool is_gain = job.scoring.criterion->is_impurity() && job.scoring.choice == Choice::first_best;
    if (is_gain || !job.plan.target.is_class()) return;
    out.many->branches(job.cells, rows, scratch.sides);
    if (const auto scored = score_sides(job.scoring, node.view(), scratch.sides, MinSize{}, scratch))
        out.gain = scored->gain, out.information = scored->information;
}

bool reads_points(const ManyPlan& search) { return !search.is_list() && !search.is_conjunction(); }

// Whether a search reads the best question about a single column.
bool uses_best_single(const Plan& plan) {
    return plan.target.n_classes > 4 || std::any_of(plan.many.begin(), plan.many.end(), [](const ManyPlan& each) {
               return each.name == "chou_plane" || each.name == "oc1_plane";
           });
}

}  // namespace

void search_many(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch) {
    const Plan& plan = job.plan;
    const auto is_tried = [&](const ManyPlan& each) { return each.reaches(node.depth); };
    if (std::none_of(plan.many.begin(), plan.many.end(), is_tried)) return;
    std::vector<std::int32_t> columns;
    for (const Candidate& each : found)
        if (each.column >= 0 && each.type != Candidate::Type::constant)
            if (columns.empty() || columns.back() != each.column) columns.push_back(each.column);
    NodeScorer scorer(job.scoring, node, scratch);
    std::vector<std::uint32_t>& rows = scratch.scorer.rows;
    rows.resize(node.rows());
    for (std::int32_t i = 0; i < node.rows(); ++i) rows[i] = node.block->row_of[scorer.sides().row(i)];
    if (std::any_of(plan.many.begin(), plan.many.end(), reads_points)) {
        set_row_weights(job.scoring, scorer.sides(), scratch.points.weights);
        fill_points(job.cells, columns, rows, scratch.points);
    }
    if (const int chosen = best_candidate(job.scoring, found, node.impurity); chosen >= 0 && uses_best_single(plan)) {
        Candidate best_single = found[chosen];
        complete(job.scoring, node.view(), best_single);
        const double cut = best_single.type == Candidate::Type::cut ? threshold_of(best_single, job) : 0.0;
        scorer.best_single = best_single_of(best_single, cut, rows, job);
    }
    for (const ManyPlan& search : plan.many) {
        if (!is_tried(search)) continue;
        if (search.is_list()) {
            if (auto best = best_listed_question(job, node, columns, scratch)) found.push_back(std::move(*best));
            continue;
        }
        auto question = std::make_shared<ManyQuestion>(
            search.is_conjunction() ? ConjunctionSearch(job, node, scorer, rows).best(search, found)
                                    : best_of_many(search, scratch.points, job.cells, rows, scorer));
        if (question->kind == ManyQuestion::Kind::none) continue;
        Candidate out;
        out.type = Candidate::Type::many;
        out.score = out.gain = question->score;
        out.is_free = question->is_free;
        out.many = std::move(question);
        set_gain_of_many(job, node, rows, scratch, out);
        found.push_back(std::move(out));
    }
}

}  // namespace hornbeam
