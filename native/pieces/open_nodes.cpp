#include "pieces/open_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hornbeam {

bool OpenNodes::keeps_order() const {
    return scoring_.plan.order == Order::best_first || scoring_.plan.stops.limits_size();
}

void OpenNodes::add(std::vector<PieceNode>&& nodes) {
    if (keeps_order() && scoring_.plan.order == Order::depth_first) std::reverse(nodes.begin(), nodes.end());
    for (PieceNode& node : nodes) {
        // Without the rows of a node whose children are leaves: their totals are known, or part of the next round.
        const bool is_last = node.depth + 1 >= scoring_.plan.stops.max_depth;
        const bool is_small = !keeps_order() && !is_last && node.totals.rows <= limits_.collected;
        if (is_small) node.sums.reset();
        (is_small ? small_ : queue_).push_back(std::move(node));
    }
    drop_sums();
}

std::vector<PieceNode> OpenNodes::take(std::vector<Record>& records) {
    return keeps_order() ? take_one(records) : take_level();
}

// Best first, or within a limit of leaves or nodes: one node at a time, as the exact grower takes them.
std::vector<PieceNode> OpenNodes::take_one(std::vector<Record>& records) {
    const bool is_stack = scoring_.plan.order == Order::depth_first;
    const auto later = [&](const PieceNode& a, const PieceNode& b) {
        const double first = priority(a), second = priority(b);
        return first != second ? first < second : a.record > b.record;
    };
    std::vector<PieceNode> taken;
    while (taken.empty() && !queue_.empty()) {
        if (!is_stack) std::swap(*std::max_element(queue_.begin(), queue_.end(), later), queue_.back());
        PieceNode node = std::move(queue_.back());
        queue_.pop_back();
        const std::int64_t more = node.best.n_branches;
        Record& record = records[node.record];
        record.reason = scoring_.plan.stops.size(leaves_, static_cast<std::int64_t>(records.size()), more);
        if (record.reason != Reason::none) continue;
        leaves_ += more - 1;
        taken.push_back(std::move(node));
    }
    return taken;
}

// Decreases that differ by rounding alone tie, so 36 bits of each are compared.
double OpenNodes::priority(const PieceNode& node) const {
    if (scoring_.plan.order != Order::best_first) return 0.0;
    int exponent = 0;
    const double part = std::frexp(scoring_.mass(node.totals) * node.best.gain, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(part, 36)), exponent - 36);
}

std::vector<PieceNode> OpenNodes::take_level() {
    std::int64_t each = 0, room = limits_.round_cells;
    const int width = std::max(scoring_.plan.target.n_classes, 2) + 1;
    for (const ReadyColumn& column : scoring_.columns) each += (column.n_codes + 1) * static_cast<std::int64_t>(width);
    std::ptrdiff_t n = 0;
    for (; n < std::ssize(queue_) && (n == 0 || room > 0); ++n) room -= each * (queue_[n].best.n_branches - 1);
    std::vector<PieceNode> taken(std::make_move_iterator(queue_.begin()), std::make_move_iterator(queue_.begin() + n));
    queue_.erase(queue_.begin(), queue_.begin() + n);
    return taken;
}

std::vector<PieceNode> OpenNodes::take_small() {
    std::vector<PieceNode> taken;
    std::int64_t room = limits_.collected_at_once;
    while (!small_.empty() && (taken.empty() || small_.back().totals.rows <= room)) {
        room -= small_.back().totals.rows;
        taken.push_back(std::move(small_.back()));
        small_.pop_back();
    }
    return taken;
}

// Sums that take too much room are dropped: children are added up from rows then. Large nodes keep theirs.
void OpenNodes::drop_sums() {
    std::int64_t held = 0;
    std::vector<PieceNode*> holders;
    for (PieceNode& node : queue_)
        if (node.sums) held += static_cast<std::int64_t>(node.sums->sums.size()), holders.push_back(&node);
    if (held <= limits_.held_cells) return;
    std::sort(holders.begin(), holders.end(),
              [](const PieceNode* a, const PieceNode* b) { return a->totals.rows < b->totals.rows; });
    for (PieceNode* node : holders) {
        if (held <= limits_.held_cells) break;
        held -= static_cast<std::int64_t>(node->sums->sums.size());
        node->sums.reset();
    }
}

}  // namespace hornbeam
