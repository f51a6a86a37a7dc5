#include "pieces/piece_grower.hpp"

#include <algorithm>
#include <cmath>

#include "core/pool.hpp"
#include "core/random.hpp"
#include "pieces/records.hpp"

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
      scratch_(usable_threads(limits.threads)) {}

bool PieceGrower::next(Stop& stop) {
    if (!is_planted_) {
        plant();
        request_sums();
        return true;
    }
    while (families_.empty()) {
        if (queue_.empty() && small_.empty()) return false;
        if (queue_.empty()) {
            request_rows();
            return true;
        }
        if (keeps_order())
            take_in_order();
        else
            take_level();
        if (plan_.surrogates >= 0 && !taken_.empty()) {
            request_sides();
            return true;
        }
        open_taken(stop);
    }
    request_sums();
    return true;
}

void PieceGrower::plant() {
    is_planted_ = true;
    add_records(1);
    Family family;
    family.children.resize(1);
    family.children[0].totals.counts.assign(plan_.target.n_classes, 0);
    family.active.resize(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) family.active[c] = static_cast<std::int32_t>(c);
    family.is_searched = {1};
    family.slot = {0};
    family.needs_totals = true;
    families_.push_back(std::move(family));
}

// New records, and their routes: none as yet.
void PieceGrower::add_records(std::size_t n) {
    fragments_[0].records.resize(routes_.size() + n);
    routes_.resize(routes_.size() + n);
    otherwise_.resize(routes_.size(), -1);
}

// Best first, or within a budget of leaves or nodes: one node at a time, as the exact grower takes them.
void PieceGrower::take_in_order() {
    const bool is_stack = plan_.order == Order::depth_first;
    const auto later = [&](const PieceNode& a, const PieceNode& b) {
        const double first = priority(a), second = priority(b);
        return first != second ? first < second : a.record > b.record;
    };
    while (taken_.empty() && !queue_.empty()) {
        if (!is_stack) std::swap(*std::max_element(queue_.begin(), queue_.end(), later), queue_.back());
        PieceNode node = std::move(queue_.back());
        queue_.pop_back();
        const std::int64_t more = node.best.n_branches;
        Record& record = fragments_[0].records[node.record];
        if (plan_.max_leaves >= 0 && leaves_ + more - 1 > plan_.max_leaves) {
            record.reason = Reason::leaves;
        } else if (plan_.max_nodes >= 0 && n_nodes() + more > plan_.max_nodes) {
            record.reason = Reason::nodes;
        } else {
            leaves_ += more - 1;
            taken_.push_back(std::move(node));
        }
    }
}

// Decreases that differ by rounding alone tie, so 36 bits of each are compared.
double PieceGrower::priority(const PieceNode& node) const {
    if (plan_.order != Order::best_first) return 0.0;
    int exponent = 0;
    const double part = std::frexp(search_.search().mass(node.totals) * node.best.gain, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(part, 36)), exponent - 36);
}

// As many nodes as one round has room for.
void PieceGrower::take_level() {
    std::int64_t each = 0, room = limits_.round_cells;
    for (const ReadyColumn& column : columns_) each += (column.n_codes + 1) * static_cast<std::int64_t>(shape_.width());
    std::size_t n = 0;
    for (; n < queue_.size() && (n == 0 || room > 0); ++n) room -= each * (queue_[n].best.n_branches - 1);
    taken_.assign(std::make_move_iterator(queue_.begin()), std::make_move_iterator(queue_.begin() + n));
    queue_.erase(queue_.begin(), queue_.begin() + n);
}

void PieceGrower::open_taken(Stop& stop) {
    std::vector<Family> settled;
    for (PieceNode& node : taken_) {
        Family family = opened(node);
        const bool waits = family.needs_totals || std::count(family.is_searched.begin(), family.is_searched.end(), 1);
        (waits ? families_ : settled).push_back(std::move(family));
    }
    taken_.clear();
    settle(settled, stop);
}

PieceGrower::Family PieceGrower::opened(PieceNode& node) {
    const bool finishes = search_.finishes_column(node);
    const std::int32_t first = write_split(node, search_, fragments_[0]);
    add_records(node.best.n_branches);
    Family family;
    family.children = children_of(node, first, finishes);
    family.active = columns_below(node, finishes);
    family.cells = std::move(node.cells);
    family.needs_totals = shape_.n_classes == 0 || node.undecided > 0;
    for (PieceNode& child : family.children) {
        search_.finish_totals(child.totals);
        const bool may_split =
            node.undecided > 0 || search_.early_reason(child.totals, child.depth) == Reason::none;
        family.is_searched.push_back(may_split && !family.active.empty());
    }
    place(family, node.is_whole());
    otherwise_[node.record] = static_cast<std::int16_t>(node.missing_branch);
    routes_[node.record] = std::move(node.questions);
    return family;
}

// Which children are added up from rows: of those that are searched the largest is what is left of its parent.
void PieceGrower::place(Family& family, bool is_whole) const {
    const std::size_t n = family.children.size();
    family.slot.assign(n, -1);
    std::int64_t rows = 0;
    std::int32_t largest = -1;
    for (std::size_t b = 0; b < n; ++b) {
        const std::int64_t here = family.children[b].totals.rows;
        rows += here;
        if (family.is_searched[b]) family.slot[b] = 0;
        if (family.is_searched[b] && (largest < 0 || here > family.children[largest].totals.rows))
            largest = static_cast<std::int32_t>(b);
    }
    if (largest < 0 || !family.cells || !is_whole) return;
    const std::int64_t others = rows - family.children[largest].totals.rows;
    if (others > family.children[largest].totals.rows) return;
    family.rest = largest;
    for (std::size_t b = 0; b < n; ++b)
        family.slot[b] = static_cast<std::int32_t>(b) != largest && family.children[b].totals.rows > 0 ? 0 : -1;
}

// Children become leaves, or are searched from their cells.
void PieceGrower::settle(std::vector<Family>& families, Stop& stop) {
    struct Task {
        PieceNode* node;
        const std::vector<std::int32_t>* active;
        Reason reason;
    };
    std::vector<Task> tasks;
    for (Family& family : families)
        for (PieceNode& child : family.children) {
            child.impurity = search_.search().impurity(child.totals);
            write_node(child, fragments_[0]);
            Reason reason = search_.early_reason(child.totals, child.depth);
            if (reason == Reason::none && family.active.empty())
                reason = child.n_used == columns_.size() ? Reason::no_attributes : Reason::no_improvement;
            tasks.push_back({&child, &family.active, reason});
        }
    const auto decide = [&](std::int64_t i, int worker) {
        Task& task = tasks[i];
        if (task.reason != Reason::none) return;
        const NodeCells& cells = *task.node->cells;
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
    if (keeps_order() && plan_.order == Order::depth_first) std::reverse(open.begin(), open.end());
    for (PieceNode& node : open) {
        const bool is_small = !keeps_order() && node.totals.rows <= limits_.collected;
        if (is_small) node.cells.reset();
        (is_small ? small_ : queue_).push_back(std::move(node));
    }
    drop_cells();
}

// Cells that take too much room are dropped: children are added up from rows then. Large nodes keep theirs.
void PieceGrower::drop_cells() {
    std::int64_t held = 0;
    std::vector<PieceNode*> holders;
    for (PieceNode& node : queue_)
        if (node.cells) held += static_cast<std::int64_t>(node.cells->sums.size()), holders.push_back(&node);
    if (held <= limits_.held_cells) return;
    std::sort(holders.begin(), holders.end(),
              [](const PieceNode* a, const PieceNode* b) { return a->totals.rows < b->totals.rows; });
    for (PieceNode* node : holders) {
        if (held <= limits_.held_cells) break;
        held -= static_cast<std::int64_t>(node->cells->sums.size());
        node->cells.reset();
    }
}

Grown PieceGrower::grown() { return assembled(plan_, fragments_, columns_); }

}  // namespace hornbeam
