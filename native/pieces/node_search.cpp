#include "pieces/node_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/column_sampler.hpp"
#include "core/random.hpp"
#include "growing/choice.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_records.hpp"
#include "growing/random_question.hpp"
#include "growing/search.hpp"
#include "missing/missing_branch.hpp"
#include "missing/surrogates.hpp"

namespace hornbeam {

void read_cells(const std::int64_t* cells, std::uint32_t n_codes, const CellShape& shape, CodeTable& table) {
    const int sums = shape.sums(), width = shape.width();
    table.reserve(n_codes, sums);
    table.known = 0;
    for (std::uint32_t code = 0; code <= n_codes; ++code, cells += width) {
        const std::int64_t rows = shape.rows_in(cells);
        if (rows == 0) continue;
        table.rows[code] = rows;
        std::copy(cells, cells + sums, table.of(code));
        if (code == n_codes) continue;
        table.present.push_back(code);
        table.known += rows;
    }
}

NodeSearch::NodeSearch(const Plan& plan, const std::vector<ReadyColumn>& columns, const CellShape& shape)
    : plan_(plan), columns_(columns), shape_(shape), scoring_(plan, columns) {
    // Kernels distinguish classes, numbers and weights by the arrays that there are.
    no_rows_.classes = {0};
    no_rows_.sums = {0};
    if (shape.is_weighted) no_rows_.weights = {1};
}

void NodeSearch::finish_totals(Totals& totals) const { scoring_.set_squares(totals); }

Reason NodeSearch::decide(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                          Scratch& scratch) const {
    std::vector<Candidate> found =
        plan_.cuts.random ? drawn(node, active, fill, scratch) : searched(node, active, fill, scratch);
    keep_varying(node, found, active, {}, plan_);
    if (plan_.searches_levels_twice()) add_seconds(found);
    const int chosen = best_candidate(scoring_, found, node.impurity);
    if (chosen < 0) return Reason::no_improvement;
    node.best = std::move(found[chosen]);
    const auto completed = [&](Candidate& candidate, const auto& use) {
        fill(candidate.column, scratch.codes);
        complete_in_table(scoring_, node.totals, scratch.codes, candidate);
        use(scratch.codes);
        scratch.codes.clear(columns_[candidate.column].n_codes);
    };
    completed(node.best, [&](const CodeTable& table) { set_branches(node, table); });
    const Reason reason = late_reason(job_, node);
    if (reason == Reason::none && plan_.competitors > 0)
        keep_competitors(node, found, chosen, job_,
                         [&](Candidate& other) { completed(other, [](const CodeTable&) {}); });
    return reason;
}

// The branch of every code, that of missing values, and what the rows of each branch add up to.
void NodeSearch::set_branches(PieceNode& node, const CodeTable& table) const {
    const Candidate& best = node.best;
    const std::uint32_t n_codes = columns_[best.column].n_codes;
    RouteQuestion question{best.column, std::vector<std::int16_t>(n_codes + 1, -1)};
    for (std::uint32_t code = 0; code < n_codes; ++code) {
        const std::int32_t branch = best.type == Candidate::Type::map       ? best.groups->branch_of[code]
                                    : best.type == Candidate::Type::missing ? 1
                                                                            : code > best.code;
        question.branch_of[code] = static_cast<std::int16_t>(branch);
    }
    node.branches.assign(best.n_branches, Totals{});
    for (Totals& branch : node.branches) branch.cell = scoring_.statistic.empty_cell();
    const auto add = [&](std::uint32_t code, std::int32_t to) {
        Totals& branch = node.branches[to];
        const std::int64_t* sums = table.of(code);
        branch.rows += table.rows[code];
        for (std::size_t k = 0; k < branch.cell.size(); ++k) branch.cell[k] += sums[k];
        branch.weight += scoring_.statistic.weight(sums);
    };
    for (const std::uint32_t code : table.present) add(code, question.branch_of[code]);
    std::vector<std::int64_t> weight;
    for (const Totals& branch : node.branches) weight.push_back(branch.weight);
    std::int32_t missing = hornbeam::missing_branch(plan_, best, weight);
    if (missing == best.n_branches) missing = -1;
    node.undecided = missing < 0 && plan_.missing.surrogates >= 0 ? table.rows[n_codes] : 0;
    if (missing >= 0 && table.rows[n_codes] > 0) add(n_codes, missing);
    node.missing_branch = missing;
    if (plan_.missing.surrogates < 0) question.branch_of[n_codes] = static_cast<std::int16_t>(missing);
    node.questions.assign(1, std::move(question));
}

// The columns that compete: all, or those sampled.
std::vector<Candidate> NodeSearch::searched(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                            Scratch& scratch) const {
    std::vector<Candidate> found(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
        fill(active[i], scratch.codes);
        found[i] = best_in_table(scoring_, view(node), active[i], scratch);
    }
    return found;
}

// One question per column that varies, drawn in the order of columns from the stream of the node; whether a value is
// missing, and the question of another search of levels, compete with it.
std::vector<Candidate> NodeSearch::drawn(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                         Scratch& scratch) const {
    std::vector<Candidate> found(active.size());
    std::vector<QuestionRange> ranges(active.size());
    std::vector<std::int32_t> kept;
    const auto look = [&](std::int32_t place) {
        fill(active[place], scratch.codes);
        ranges[place] = range_in_table(scoring_, active[place], scratch);
        if (ranges[place].competes())
            kept.push_back(place);
        else
            found[place].type = Candidate::Type::constant;
    };
    if (plan_.max_features <= 0) {
        for (std::size_t i = 0; i < active.size(); ++i) look(static_cast<std::int32_t>(i));
    } else {
        std::vector<std::int32_t> at(plan_.columns.size(), -1);
        for (std::size_t i = 0; i < active.size(); ++i) at[active[i]] = static_cast<std::int32_t>(i);
        const std::uint64_t node_key = key(plan_.seed, Purpose::features, plan_.tree, node.id);
        sample_columns(static_cast<std::int64_t>(at.size()), plan_.max_features, node_key, [&](std::int32_t column) {
            if (at[column] >= 0) look(at[column]);
            return !kept.empty();
        });
        std::sort(kept.begin(), kept.end());
    }
    Stream stream(key(plan_.seed, Purpose::thresholds, plan_.tree, node.id));
    for (const std::int32_t place : kept) {
        const std::int32_t column = active[place];
        RandomQuestion question;
        if (ranges[place].varies) question = sample_question(scoring_, ranges[place], column, stream);
        fill(column, scratch.codes);
        found[place] =
            score_in_table(scoring_, view(node), column, ranges[place].varies ? &question : nullptr, scratch);
        const bool is_nominal = columns_[column].kind == Kind::nominal;
        if (!plan_.searches_levels_twice() || !is_nominal || view(node).is_used(column)) continue;
        fill(column, scratch.codes);
        found[place].second = std::make_shared<Candidate>(best_in_table(scoring_, view(node), column, scratch));
    }
    return found;
}

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

// Every column is compared with the sides that rows take.
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
