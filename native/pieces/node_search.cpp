#include "pieces/node_search.hpp"

#include <algorithm>

#include "growing/choice.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_records.hpp"
#include "growing/search.hpp"
#include "missing/missing_branch.hpp"

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

}  // namespace hornbeam
