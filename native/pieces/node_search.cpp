#include "pieces/node_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/midpoint.hpp"
#include "core/random.hpp"
#include "core/weight_limits.hpp"

namespace hornbeam {

void read_cells(const std::int64_t* cells, std::uint32_t n_codes, const CellShape& shape, CodeTable& table) {
    const int sums = shape.sums(), width = shape.width();
    table.make_room(n_codes, sums);
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
    : plan_(plan), columns_(columns), shape_(shape), search_(plan, columns) {
    // Kernels distinguish classes, numbers and weights by the arrays that there are.
    no_rows_.classes = {0};
    no_rows_.sums = {0};
    if (shape.is_weighted) no_rows_.weights = {1};
}

void NodeSearch::finish_totals(Totals& totals) const { search_.set_squares(totals); }

Reason NodeSearch::early_reason(const Totals& totals, std::int32_t depth) const {
    if (totals.rows == 0) return Reason::empty;
    if (!plan_.splits_pure && search_.is_pure(totals)) return Reason::pure;
    if (totals.rows <= plan_.eta) return Reason::eta;
    if (plan_.purity <= 1 && search_.largest_share(totals) >= plan_.purity - 1e-12) return Reason::purity;
    if (totals.rows < plan_.min_split) return Reason::rows_to_split;
    const double weight = static_cast<double>(totals.weight) * plan_.target.weight_unit;
    if (!reaches(weight, plan_.min_split_weight)) return Reason::rows_to_split;
    if (plan_.max_depth >= 0 && depth >= plan_.max_depth) return Reason::depth;
    if (totals.rows < 2 * plan_.min_leaf || !reaches(weight, 2 * plan_.min_leaf_weight)) return Reason::rows_in_leaf;
    return Reason::none;
}

Reason NodeSearch::late_reason(const PieceNode& node) const {
    if (plan_.min_gain >= 0 && node.best.gain <= plan_.min_gain * (1 + 1e-12)) return Reason::min_gain;
    if (plan_.min_decrease > 0) {
        const double share = search_.mass(node.totals) / search_.root_mass();
        // One part in 10^12 for rounding: a split whose decrease equals the bound is made.
        if (share * node.best.gain < plan_.min_decrease * (1 - 1e-12)) return Reason::min_decrease;
    }
    return Reason::none;
}

double NodeSearch::threshold(const Candidate& best) const {
    const ReadyColumn& column = columns_[best.column];
    const double middle = midpoint(best.low, best.high);
    if (!plan_.cut_at_data) return middle;
    const double below = *(std::upper_bound(column.values.begin(), column.values.end(), middle) - 1);
    return std::isfinite(below) ? below : middle;
}

bool NodeSearch::finishes_column(const PieceNode& node) const {
    if (!plan_.once_per_path || node.best.type != Candidate::Type::map) return false;
    return plan_.nominal != NominalSearch::c45_groups || columns_[node.best.column].n_codes <= 2;
}

Reason NodeSearch::decide(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                          Scratch& scratch) const {
    std::vector<Candidate> found =
        plan_.random_cuts ? drawn(node, active, fill, scratch) : searched(node, active, fill, scratch);
    for (std::size_t i = 0; i < active.size(); ++i)
        if (found[i].type != Candidate::Type::constant) node.active.push_back(active[i]);
    if (plan_.max_features > 0 && !plan_.random_cuts) keep_drawn(node, found);
    const int chosen = search_.choose(found, node.totals, node.impurity);
    if (chosen < 0) return Reason::no_improvement;
    node.best = std::move(found[chosen]);
    fill(node.best.column, scratch.codes);
    search_.complete_of_table(scratch.codes, node.totals, node.best);
    if (plan_.zero_gain && node.best.gain <= search_.tolerance(node.impurity)) node.best.gain = 0.0;
    set_branches(node, scratch.codes);
    scratch.codes.clear(columns_[node.best.column].n_codes);
    if (const Reason reason = late_reason(node); reason != Reason::none) return reason;
    if (plan_.competitors > 0) keep_competitors(node, found, chosen, fill, scratch);
    return Reason::none;
}

void NodeSearch::keep_competitors(PieceNode& node, std::vector<Candidate>& found, int chosen, const Fill& fill,
                                  Scratch& scratch) const {
    constexpr double NONE = -std::numeric_limits<double>::infinity();
    std::vector<double> value = search_.compared(found, node.impurity);
    const double bar = search_.tolerance(node.impurity);
    value[chosen] = NONE;
    for (std::int64_t kept = 0; kept < plan_.competitors; ++kept) {
        int next = -1;
        for (std::size_t i = 0; i < value.size(); ++i)
            if (value[i] > NONE && (next < 0 || value[i] - value[next] > bar)) next = static_cast<int>(i);
        if (next < 0) return;
        value[next] = NONE;
        Candidate candidate = std::move(found[next]);
        fill(candidate.column, scratch.codes);
        search_.complete_of_table(scratch.codes, node.totals, candidate);
        scratch.codes.clear(columns_[candidate.column].n_codes);
        KeptQuestion question;
        question.column = candidate.column;
        question.asks_missing = candidate.type == Candidate::Type::missing;
        question.first = candidate.gain;
        question.second = candidate.score;
        if (candidate.type == Candidate::Type::map) question.branch_of = std::move(candidate.groups->branch_of);
        if (candidate.type == Candidate::Type::cut) question.cut = threshold(candidate);
        node.competitors.push_back(std::move(question));
    }
}

// The branch of every code, that of missing values, and what the rows of each branch add up to.
void NodeSearch::set_branches(PieceNode& node, const CodeTable& table) const {
    const Candidate& best = node.best;
    const std::uint32_t n_codes = columns_[best.column].n_codes;
    const bool is_class = plan_.target.is_class();
    RouteQuestion question{best.column, std::vector<std::int16_t>(n_codes + 1, -1)};
    for (std::uint32_t code = 0; code < n_codes; ++code) {
        const std::int32_t branch = best.type == Candidate::Type::map       ? best.groups->branch_of[code]
                                    : best.type == Candidate::Type::missing ? 1
                                                                            : code > best.code;
        question.branch_of[code] = static_cast<std::int16_t>(branch);
    }
    node.branches.assign(best.n_branches, Totals{});
    for (Totals& branch : node.branches) branch.counts.assign(plan_.target.n_classes, 0);
    const auto add = [&](std::uint32_t code, std::int32_t to) {
        Totals& branch = node.branches[to];
        const std::int64_t* sums = table.of(code);
        branch.rows += table.rows[code];
        for (std::size_t k = 0; k < branch.counts.size(); ++k) branch.counts[k] += sums[k], branch.weight += sums[k];
        if (!is_class) branch.weight += sums[0], branch.sum += sums[1];
    };
    for (const std::uint32_t code : table.present) add(code, question.branch_of[code]);
    std::int32_t missing = best.missing_branch;
    node.undecided = 0;
    if (missing < 0 && plan_.surrogates >= 0) {
        node.undecided = table.rows[n_codes];
    } else if (missing < 0 && !plan_.missing_stays) {
        const auto less = [](const Totals& a, const Totals& b) { return a.weight < b.weight; };
        missing = static_cast<std::int32_t>(std::max_element(node.branches.begin(), node.branches.end(), less) -
                                            node.branches.begin());
    }
    if (missing >= 0 && table.rows[n_codes] > 0) add(n_codes, missing);
    node.missing_branch = missing;
    if (plan_.surrogates < 0) question.branch_of[n_codes] = static_cast<std::int16_t>(missing);
    node.questions.assign(1, std::move(question));
}

}  // namespace hornbeam
