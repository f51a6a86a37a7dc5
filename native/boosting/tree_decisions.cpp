#include "boosting/tree_decisions.hpp"

#include <algorithm>
#include <cmath>

#include "core/column_sampler.hpp"
#include "core/random.hpp"

namespace hornbeam {

std::int32_t GradientTree::leaf(const BinnedTable& table, std::int64_t row) const {
    std::int32_t at = 0;
    while (nodes[at].first_child >= 0) {
        const GradientNode& node = nodes[at];
        at = node.first_child + branch_pool[node.branches + table.code(node.split.column, row)];
    }
    return at;
}

std::vector<std::uint8_t> sampled(double fraction, std::int64_t minimum, std::int64_t n, std::uint64_t key) {
    const auto count = std::max<std::int64_t>(minimum, static_cast<std::int64_t>(fraction * static_cast<double>(n)));
    if (count >= n) return std::vector<std::uint8_t>(n, 1);
    std::vector<std::uint8_t> out(n, 0);
    ColumnSampler sampler(n);
    Stream stream(key);
    for (std::int64_t i = 0; i < count; ++i) out[sampler.next(stream)] = 1;
    return out;
}

TreeDecisions::TreeDecisions(const BinnedTable& table, const Regularization& regular, const TreeLimits& limits)
    : table_(table), regular_(regular), limits_(limits), search_(table, regular) {
    limits_.stops.min_split = 0;
    limits_.stops.min_leaf = std::max(regular.min_rows, regular.min_weighted_rows);
    limits_.stops.min_leaf_weight = regular.min_hessian;
}

void TreeDecisions::start_tree(const Units& units, std::uint64_t number) {
    search_.set_units(units);
    tree_number_ = number;
    in_tree_ = sampled(limits_.columns_per_tree, 1, static_cast<std::int64_t>(table_.columns.size()),
                       key(limits_.seed, Purpose::features, number));
}

GradientNode TreeDecisions::root(const Sums& sums) const {
    GradientNode out;
    out.end = static_cast<std::int32_t>(search_.units().rows(sums.hc));
    out.groups.assign(limits_.column_groups.size(), 1);
    out.sums = sums;
    out.value = search_.leaf().value(sums, out.bound, regular_.l2);
    out.reason = early_reason(out);
    out.is_searched = out.reason == Reason::none;
    return out;
}

Reason TreeDecisions::early_reason(const GradientNode& node) const {
    return limits_.stops.early(
        {node.rows(), search_.units().hessian(node.sums.hc), node.depth}, [] { return 0.0; }, [] { return false; });
}

std::vector<std::uint8_t> TreeDecisions::columns_at(const GradientNode& node) const {
    std::vector<std::uint8_t> out = in_tree_;
    if (!limits_.column_groups.empty()) {
        std::vector<std::uint8_t> allowed(out.size(), 0);
        for (std::size_t g = 0; g < node.groups.size(); ++g)
            if (node.groups[g])
                for (const std::int32_t c : limits_.column_groups[g]) allowed[c] = 1;
        for (std::size_t c = 0; c < out.size(); ++c) out[c] &= allowed[c];
    }
    if (limits_.columns_per_node < 1.0) {
        std::vector<std::int32_t> pool;
        for (std::size_t c = 0; c < out.size(); ++c)
            if (out[c]) pool.push_back(static_cast<std::int32_t>(c));
        const auto kept =
            sampled(limits_.columns_per_node, limits_.min_columns_per_node, static_cast<std::int64_t>(pool.size()),
                    key(limits_.seed, Purpose::features, tree_number_, node.id));
        for (std::size_t i = 0; i < pool.size(); ++i) out[pool[i]] = kept[i];
    }
    return out;
}

// Chooses the first column whose score is within the tolerance of the best one.
void TreeDecisions::choose_split(GradientNode& node, const std::vector<GradientSplit>& found) const {
    double best = -std::numeric_limits<double>::infinity();
    for (const GradientSplit& split : found)
        if (split.kind != SplitKind::none) best = std::max(best, split.score);
    for (const GradientSplit& split : found) {
        if (split.kind == SplitKind::none || split.score < best - NEAR * std::fabs(best)) continue;
        node.split = split;
        node.gain = search_.gain(split, node.sums, node.bound);
        if (node.gain <= NEAR * std::fabs(split.score) / 2) node.gain = 0.0;
        break;
    }
}

void TreeDecisions::set_branches(GradientTree& tree, std::int32_t at, const std::int64_t* cells) const {
    GradientNode& node = tree.nodes[at];
    GradientSplit& split = node.split;
    const BinnedColumn& column = table_.columns[split.column];
    node.branches = static_cast<std::int32_t>(tree.branch_pool.size());
    tree.branch_pool.resize(tree.branch_pool.size() + column.n_bins + 1, 0);
    std::uint8_t* branch = tree.branch_pool.data() + node.branches;
    if (split.kind == SplitKind::is_missing) {
        std::fill_n(branch, column.n_bins, 1);
        return;
    }
    std::uint8_t missing = split.missing_left ? 0 : 1;
    if (split.kind == SplitKind::cut) {
        for (std::uint32_t code = 0; code < column.n_bins; ++code)
            branch[code] = static_cast<std::int32_t>(code) > split.length;
    } else {
        std::vector<std::int32_t> order;
        search_.order_levels(cells, split.column, order);
        std::vector<std::int32_t> side(column.n_bins, -1);
        for (std::size_t i = 0; i < order.size(); ++i) side[order[i]] = static_cast<std::int32_t>(i) >= split.length;
        // The smaller set of levels is branch 0; if both have the same size, the set with the lowest level.
        const auto right = static_cast<std::int32_t>(order.size()) - split.length;
        const std::int32_t lowest = *std::min_element(order.begin(), order.end());
        if (split.length > right || (split.length == right && side[lowest] == 1)) {
            for (auto& s : side) s = s < 0 ? s : 1 - s;
            split.left = node.sums - split.left;
            split.missing_left = !split.missing_left;
            missing = 1 - missing;
        }
        for (std::uint32_t code = 0; code < column.n_bins; ++code)
            branch[code] = static_cast<std::uint8_t>(side[code] < 0 ? missing : side[code]);
        tree.levels.resize(tree.nodes.size());
        tree.levels[at] = std::move(side);
    }
    branch[column.n_bins] = missing;
}

void TreeDecisions::add_children(GradientTree& tree, std::int32_t at, bool search_children) const {
    const auto first = static_cast<std::int32_t>(tree.nodes.size());
    tree.nodes.resize(first + 2);
    GradientNode& node = tree.nodes[at];
    node.first_child = first;
    const Sums sums[2] = {node.split.left, node.sums - node.split.left};
    const double l2 = search_.l2_below(node.split);
    std::int32_t begin = node.begin;
    for (std::int32_t b = 0; b < 2; ++b) {
        GradientNode& child = tree.nodes[first + b];
        child.parent = at;
        child.depth = node.depth + 1;
        child.id = child_id(node.id, static_cast<std::uint64_t>(b));
        child.sums = sums[b];
        child.bound = node.bound;
        child.begin = begin;
        child.end = begin += static_cast<std::int32_t>(search_.units().rows(sums[b].hc));
        child.groups = node.groups;
        for (std::size_t g = 0; g < child.groups.size(); ++g) {
            const auto& group = limits_.column_groups[g];
            child.groups[g] &= std::find(group.begin(), group.end(), node.split.column) != group.end();
        }
        child.value = search_.leaf().value(child.sums, node.bound, l2);
        child.reason = early_reason(child);
        child.is_searched = search_children && child.reason == Reason::none;
    }
    set_bounds(tree, node);
}

// Bounds the values below a split on a monotone column by the mean of the values of the two children.
void TreeDecisions::set_bounds(GradientTree& tree, const GradientNode& node) const {
    const std::int32_t column = node.split.column;
    const int direction = regular_.monotone_direction(column);
    if (direction == 0 || table_.columns[column].kind == Kind::nominal || node.split.kind == SplitKind::is_missing)
        return;
    GradientNode &left = tree.nodes[node.first_child], &right = tree.nodes[node.first_child + 1];
    const double middle = (left.value + right.value) / 2;
    (direction > 0 ? left.bound.high : left.bound.low) = middle;
    (direction > 0 ? right.bound.low : right.bound.high) = middle;
}

// If the depth allows no more leaves than the limit, the order of growth does not matter.
bool TreeDecisions::is_limited() const {
    const StopRules& stops = limits_.stops;
    return stops.limits_size() && (stops.max_depth > 40 || (std::int64_t{1} << stops.max_depth) > stops.max_leaves);
}

// Best first: the first node whose gain is within the tolerance of the largest; by depth: the first node.
bool GradientSchedule::next(Next& which) {
    which.clear();
    if (open.empty()) return false;
    if (!one_by_one) {
        which.swap(open);
        return true;
    }
    double best = 0.0;
    for (const std::int32_t at : open) best = std::max(best, tree.nodes[at].gain);
    const double threshold = best_first ? best - NEAR * best : 0.0;
    auto found = open.end();
    for (auto at = open.begin(); at != open.end(); ++at)
        if (tree.nodes[*at].gain >= threshold && (found == open.end() || *at < *found)) found = at;
    which.push_back(*found);
    open.erase(found);
    return true;
}

}  // namespace hornbeam
