#include "pieces/piece_grower.hpp"

#include <algorithm>
#include <numeric>

#include "core/pool.hpp"
#include "core/random.hpp"
#include "pieces/total.hpp"

namespace hornbeam {

PieceGrower::PieceGrower(Plan plan, std::vector<ReadyColumn> columns, const CellShape& shape, const TargetUnits& units,
                         const PieceLimits& limits)
    : plan_(std::move(plan)),
      columns_(std::move(columns)),
      shape_(shape),
      units_(units),
      limits_(limits),
      search_(plan_, columns_, shape),
      fragments_(1),
      scratch_(usable_threads(limits.threads)),
      open_(search_.scoring(), limits_) {}

bool PieceGrower::next(Stop& stop) {
    if (!is_planted_) plant();
    while (families_.empty()) {
        if (open_.count() == 0) return false;
        if (!open_.has_large()) {
            make_request(Step::rows);
            return true;
        }
        taken_ = open_.take(fragments_[0].records);
        if (plan_.missing.surrogates >= 0 && !taken_.empty()) {
            make_request(Step::sides);
            return true;
        }
        open_taken(stop);
    }
    make_request(Step::sums);
    return true;
}

void PieceGrower::plant() {
    is_planted_ = true;
    fragments_[0].records.resize(1);
    routes_.add(1);
    PieceFamily family;
    family.children.resize(1);
    family.children[0].totals.cell.assign(std::max(plan_.target.n_classes, 2), 0);
    family.active.resize(columns_.size());
    std::iota(family.active.begin(), family.active.end(), 0);
    family.is_searched = {1};
    family.slot = {0};
    family.needs_totals = true;
    families_.push_back(std::move(family));
}

void PieceGrower::open_taken(Stop& stop) {
    std::vector<PieceFamily> settled;
    for (PieceNode& node : taken_) {
        PieceFamily family = opened(node);
        (family.waits() ? families_ : settled).push_back(std::move(family));
    }
    taken_.clear();
    settle(settled, stop);
}

PieceFamily PieceGrower::opened(PieceNode& node) {
    PieceChildren split(node, search_.job(), fragments_[0]);
    routes_.add(node.best.n_branches);
    PieceFamily family;
    family.children = std::move(split.children);
    family.active = std::move(split.active);
    family.parent = std::move(node.sums);
    family.needs_totals = shape_.n_classes == 0 || node.undecided > 0;
    for (PieceNode& child : family.children) {
        search_.finish_totals(child.totals);
        const std::size_t n_columns = family.active.size();
        const bool may_split = node.undecided > 0 || early_reason(search_.job(), child, n_columns) == Reason::none;
        family.is_searched.push_back(may_split && n_columns > 0);
    }
    family.choose_slots(node.is_whole());
    routes_.otherwise[node.record] = static_cast<std::int16_t>(node.missing_branch);
    routes_.questions[node.record] = std::move(node.questions);
    return family;
}

// Children become leaves, or are searched from their cells.
void PieceGrower::settle(std::vector<PieceFamily>& families, Stop& stop) {
    struct Task {
        PieceNode* node;
        const std::vector<std::int32_t>* active;
        Reason reason;
    };
    std::vector<Task> tasks;
    for (PieceFamily& family : families)
        for (PieceNode& child : family.children) {
            record_node(fragments_[0], child, search_.scoring());
            tasks.push_back({&child, &family.active, early_reason(search_.job(), child, family.active.size())});
        }
    const auto decide = [&](std::int64_t i, int worker) {
        Task& task = tasks[i];
        if (task.reason != Reason::none) return;
        const NodeCells& cells = *task.node->sums;
        task.reason = search_.decide(
            *task.node, *task.active,
            [&](std::int32_t column, CodeTable& table) {
                read_cells(cells.of(column), columns_[column].n_codes, shape_, table);
            },
            scratch_[worker]);
    };
    if (tasks.size() < 4)
        for (std::size_t i = 0; i < tasks.size(); ++i) decide(static_cast<std::int64_t>(i), 0);
    else
        parallel_for(static_cast<std::int64_t>(tasks.size()), static_cast<int>(scratch_.size()), stop, decide);
    check_stop();
    std::vector<PieceNode> open;
    for (Task& task : tasks)
        if (task.reason == Reason::none)
            open.push_back(std::move(*task.node));
        else
            fragments_[0].records[task.node->record].reason = task.reason;
    open_.add(std::move(open));
}

void PieceGrower::make_request(Step step) {
    step_ = step;
    // The sides of rows are those of the questions that are chosen but not yet part of the tree.
    for (PieceNode& node : taken_) routes_.questions[node.record] = node.questions;
    request_ = RoundRequest(routes_, fragments_[0].records, columns_, shape_);
    for (PieceNode& node : taken_) routes_.questions[node.record].clear();
    std::vector<char> is_wanted(columns_.size(), step == Step::rows);
    if (step == Step::sums)
        for (PieceFamily& family : families_) family.add_to(request_, is_wanted);
    if (step == Step::sides) request_.set_sides(taken_);
    for (const PieceNode& node : taken_)
        for (const std::int32_t column : node.active) is_wanted[column] |= plan_.missing.surrogates > 0;
    if (step == Step::rows) {
        finished_ = open_.take_small();
        for (const PieceNode& node : finished_) request_.add_slot(node.record);
    }
    request_.set_columns(is_wanted);
}

void PieceGrower::answer(const PieceSums& sums, Stop& stop) {
    if (step_ == Step::sides) {
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            const std::int64_t* slot = sums.cells.data() + request_.slot_at(static_cast<std::int32_t>(i));
            search_.choose_surrogates(taken_[i], [&](std::int32_t column, std::vector<std::int64_t>& cells) {
                const std::int64_t* from = slot + (*request_.column_start())[column];
                cells.assign(from, from + (columns_[column].n_codes + 1) * request().shape.width());
            });
        }
        return open_taken(stop);
    }
    for (PieceFamily& family : families_) {
        for (std::size_t b = 0; family.needs_totals && b < family.children.size(); ++b) {
            read_total(plan_.target, units_, sums, family.first_total + b, shape_, family.children[b].totals);
            search_.finish_totals(family.children[b].totals);
        }
        family.take_cells(request_, sums);
    }
    std::vector<PieceFamily> families = std::move(families_);
    families_.clear();
    settle(families, stop);
}

Grown PieceGrower::grown() { return assembled(plan_, fragments_, columns_); }

}  // namespace hornbeam
