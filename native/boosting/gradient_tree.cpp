#include "boosting/gradient_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "boosting/split_test.hpp"
#include "core/partition.hpp"
#include "core/random.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t BLOCK_ROWS = 8192;

}  // namespace

std::int32_t GradientTree::leaf(const BinnedTable& table, std::int64_t row) const {
    std::int32_t at = 0;
    while (nodes[at].first_child >= 0) {
        const GradientNode& node = nodes[at];
        at = node.first_child + branch_pool[node.branches + table.code(node.split.column, row)];
    }
    return at;
}

GradientGrower::GradientGrower(const BinnedTable& table, const Regular& regular, const TreeLimits& limits,
                               const SplitTest& test, Team& team)
    : table_(table),
      regular_(regular),
      limits_(limits),
      test_(test),
      team_(team),
      search_(table, regular),
      plan_(table, 2),
      columns_of_task_(table.columns_of),
      scratch_(team.size()) {
    for (const std::int32_t c : table.wide_columns) columns_of_task_.push_back({c});
    source_.kind = CellKind::pairs;
    limits_.stops.min_split = 0;
    limits_.stops.min_leaf = std::max(regular.min_rows, regular.min_weighted_rows);
    limits_.stops.min_leaf_weight = regular.min_hessian;
}

std::int32_t GradientGrower::take_cells() {
    if (free_.empty()) {
        pool_.push_back(std::unique_ptr<std::int64_t[]>(new std::int64_t[plan_.size]));
        free_.push_back(static_cast<std::int32_t>(pool_.size() - 1));
    }
    const std::int32_t at = free_.back();
    free_.pop_back();
    return at;
}

void GradientGrower::give_back(std::int32_t cells) {
    if (cells >= 0) free_.push_back(cells);
}

void GradientGrower::clear(std::int64_t task, std::int64_t* cells) const {
    for (const std::int32_t c : columns_of(task)) {
        const std::size_t codes = table_.columns[c].is_wide() ? table_.columns[c].n_bins + 1 : MOST_NARROW + 1;
        std::memset(cells + plan_.start[c], 0, codes * 2 * sizeof(std::int64_t));
    }
}

void GradientGrower::add(std::int64_t task, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells,
                         bool take_away) const {
    if (task < static_cast<std::int64_t>(table_.words.size()))
        add_word(table_, source_, plan_, static_cast<std::size_t>(task), rows, n, cells, take_away);
    else
        add_wide(table_, source_, plan_, columns_of(task)[0], rows, n, cells, take_away);
}

GradientTree GradientGrower::grow(const Pair* pairs, const Units& units, std::vector<std::uint32_t>& rows,
                                  std::uint64_t tree) {
    tree_ = GradientTree();
    found_.clear();
    asked_columns_.clear();
    source_.pairs = pairs;
    search_.set_units(units);
    rows_ = rows.data();
    spare_.resize(rows.size());
    tree_number_ = tree;
    in_tree_ = sampled(limits_.columns_per_tree, 1, static_cast<std::int64_t>(table_.columns.size()),
                       key(limits_.seed, Purpose::features, tree));
    tasks_.clear();
    for (std::size_t t = 0; t < columns_of_task_.size(); ++t)
        for (const std::int32_t c : columns_of_task_[t])
            if (in_tree_[c]) {
                tasks_.push_back(static_cast<std::int64_t>(t));
                break;
            }
    GradientNode root;
    root.end = static_cast<std::int32_t>(rows.size());
    root.groups.assign(limits_.together.size(), 1);
    for (const std::uint32_t row : rows) root.sums = root.sums + Sums{pairs[row].first, pairs[row].second};
    tree_.nodes.push_back(root);
    tree_.nodes[0].value = search_.value(root.sums, root.bound, search_.own_l2());
    tree_.nodes[0].reason = early_reason(tree_.nodes[0]);
    tree_.nodes[0].is_searched = tree_.nodes[0].reason == Reason::none;
    std::vector<Work> works;
    if (tree_.nodes[0].is_searched) {
        tree_.nodes[0].cells = take_cells();
        works.emplace_back().build = 0;
    }
    look(works);
    // With no more leaves than the depth allows the order of growth changes nothing.
    const bool is_limited =
        limits_.stops.limits_size() &&
        (limits_.stops.max_depth > 40 || (std::int64_t{1} << limits_.stops.max_depth) > limits_.stops.max_leaves);
    std::int64_t leaves = 1;
    std::vector<std::int32_t> open;
    if (tree_.nodes[0].gain > 0) open.push_back(0);
    while (!open.empty()) {
        std::vector<std::int32_t> which;
        if (!is_limited) {
            which.swap(open);
        } else {
            if (limits_.stops.size(leaves, 0, 2) != Reason::none) break;
            // Of the gains that come near the largest the node made first; level by level simply the first.
            double top = 0.0;
            for (const std::int32_t at : open) top = std::max(top, tree_.nodes[at].gain);
            const double bar = limits_.best_first ? top - NEAR * top : 0.0;
            auto next = open.end();
            for (auto it = open.begin(); it != open.end(); ++it)
                if (tree_.nodes[*it].gain >= bar && (next == open.end() || *it < *next)) next = it;
            which.push_back(*next);
            open.erase(next);
        }
        leaves += static_cast<std::int64_t>(which.size());
        const auto first = static_cast<std::int32_t>(tree_.nodes.size());
        split(which, !is_limited || limits_.stops.size(leaves, 0, 2) == Reason::none);
        for (auto at = first; at < static_cast<std::int32_t>(tree_.nodes.size()); ++at)
            if (tree_.nodes[at].gain > 0) open.push_back(at);
    }
    for (GradientNode& node : tree_.nodes) {
        if (node.first_child < 0) give_back(node.cells);
        node.cells = -1;
    }
    test_.prune(tree_, table_, pairs, rows_, team_);
    // A tree without a split changes nothing: a step of -G / H would have no bound.
    if (tree_.nodes.size() == 1) tree_.nodes[0].value = 0.0;
    return std::move(tree_);
}

Reason GradientGrower::early_reason(const GradientNode& node) const {
    return limits_.stops.early(
        {node.rows(), search_.units().hessian(node.sums.hc), node.depth}, [] { return 0.0; }, [] { return false; });
}

// ---- splitting ------------------------------------------------------------------------------------------------------

void GradientGrower::split(const std::vector<std::int32_t>& which, bool search_children) {
    for (const std::int32_t at : which) set_branches(tree_.nodes[at]);
    divide(which);
    std::vector<Work> works;
    for (const std::int32_t at : which) {
        add_children(at);
        const std::int32_t left = tree_.nodes[at].first_child, right = left + 1;
        GradientNode &a = tree_.nodes[left], &b = tree_.nodes[right];
        for (GradientNode* child : {&a, &b}) {
            child->reason = early_reason(*child);
            child->is_searched = search_children && child->reason == Reason::none;
        }
        const std::int32_t smaller = a.rows() <= b.rows() ? left : right, larger = left + right - smaller;
        const std::int32_t parent = tree_.nodes[at].cells;
        tree_.nodes[at].cells = -1;
        Work work;
        if (tree_.nodes[larger].is_searched) {
            work.rest = larger;
            tree_.nodes[larger].cells = parent;
            (tree_.nodes[smaller].is_searched ? work.build : work.taken) = smaller;
        } else {
            give_back(parent);
            if (tree_.nodes[smaller].is_searched) work.build = smaller;
        }
        if (work.build >= 0) tree_.nodes[work.build].cells = take_cells();
        if (work.build >= 0 || work.rest >= 0) works.push_back(std::move(work));
    }
    look(works);
}

void GradientGrower::set_branches(GradientNode& node) {
    GradientSplit& split = node.split;
    const BinnedColumn& column = table_.columns[split.column];
    node.branches = static_cast<std::int32_t>(tree_.branch_pool.size());
    tree_.branch_pool.resize(tree_.branch_pool.size() + column.n_bins + 1, 0);
    std::uint8_t* branch = tree_.branch_pool.data() + node.branches;
    if (split.asked == Asked::is_missing) {
        std::fill_n(branch, column.n_bins, 1);
        return;
    }
    std::uint8_t missing = split.missing_left ? 0 : 1;
    if (split.asked == Asked::cut) {
        for (std::uint32_t code = 0; code < column.n_bins; ++code)
            branch[code] = static_cast<std::int32_t>(code) > split.length;
    } else {
        std::vector<std::int32_t> order;
        search_.order_levels(cells(node.cells) + plan_.start[split.column], split.column, order);
        std::vector<std::int32_t> side(column.n_bins, -1);
        for (std::size_t i = 0; i < order.size(); ++i) side[order[i]] = static_cast<std::int32_t>(i) >= split.length;
        // The smaller set of levels is branch 0; of sets of one size the one with the lowest level.
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
        tree_.levels.resize(tree_.nodes.size());
        tree_.levels[&node - tree_.nodes.data()] = std::move(side);
    }
    branch[column.n_bins] = missing;
}

struct GradientGrower::Block {
    std::int32_t node, begin, end, left = 0, to_right = 0;
};

// Each block is divided by itself; then its two halves are copied behind those of the blocks before.
void GradientGrower::divide(const std::vector<std::int32_t>& which) {
    std::vector<Block> blocks;
    for (const std::int32_t at : which)
        for (std::int32_t i = tree_.nodes[at].begin; i < tree_.nodes[at].end; i += BLOCK_ROWS)
            blocks.push_back({at, i, std::min(i + BLOCK_ROWS, tree_.nodes[at].end)});
    const auto count = static_cast<std::int64_t>(blocks.size());
    const auto halve = [&](Block& block, const auto& code) {
        const std::uint8_t* branch = tree_.branch_pool.data() + tree_.nodes[block.node].branches;
        block.left = set_aside(rows_ + block.begin, block.end - block.begin, spare_.data() + block.begin,
                               [&](std::uint32_t row) { return branch[code(row)]; });
    };
    team_.each(count, [&](std::int64_t b, int) {
        const BinnedColumn& column = table_.columns[tree_.nodes[blocks[b].node].split.column];
        if (column.word < 0) return halve(blocks[b], [&](std::uint32_t row) { return column.wide[row]; });
        const std::uint32_t* words = table_.words[column.word].get();
        const int shift = column.shift;
        halve(blocks[b], [=](std::uint32_t row) { return words[row] >> shift & 0xFF; });
    });
    // The left half of a block stands at its begin, the right one at the begin of its spare: first the left halves move
    // down, in order, as their places lie at or before them; the right ones follow behind.
    for (std::size_t b = 0; b < blocks.size();) {
        std::size_t last = b;
        std::int32_t left = tree_.nodes[blocks[b].node].begin;
        for (; last < blocks.size() && blocks[last].node == blocks[b].node; ++last) {
            std::copy(rows_ + blocks[last].begin, rows_ + blocks[last].begin + blocks[last].left, rows_ + left);
            left += blocks[last].left;
        }
        for (std::size_t i = b; i < last; ++i) {
            blocks[i].to_right = left;
            left += blocks[i].end - blocks[i].begin - blocks[i].left;
        }
        b = last;
    }
    team_.each(count, [&](std::int64_t b, int) {
        const Block& block = blocks[b];
        const std::uint32_t* from = spare_.data() + block.begin;
        std::copy(from, from + (block.end - block.begin - block.left), rows_ + block.to_right);
    });
}

void GradientGrower::add_children(std::int32_t at) {
    const auto first = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.resize(first + 2);
    GradientNode& node = tree_.nodes[at];
    node.first_child = first;
    const Sums sums[2] = {node.split.left, node.sums - node.split.left};
    const Bound all = node.bound;
    const std::int32_t column = node.split.column;
    const double l2 = search_.l2_below(node.split);
    std::int32_t begin = node.begin;
    for (std::int32_t b = 0; b < 2; ++b) {
        GradientNode& child = tree_.nodes[first + b];
        child.parent = at;
        child.depth = node.depth + 1;
        child.id = child_id(node.id, static_cast<std::uint64_t>(b));
        child.sums = sums[b];
        child.bound = all;
        child.begin = begin;
        child.end = begin += static_cast<std::int32_t>(search_.units().rows(sums[b].hc));
        child.groups = node.groups;
        for (std::size_t g = 0; g < child.groups.size(); ++g) {
            const auto& group = limits_.together[g];
            child.groups[g] &= std::find(group.begin(), group.end(), column) != group.end();
        }
        child.value = search_.value(child.sums, all, l2);
    }
    const int rises = regular_.monotone.empty() || table_.columns[column].kind == Kind::nominal ||
                              node.split.asked == Asked::is_missing
                          ? 0
                          : regular_.monotone[column];
    if (rises == 0) return;
    GradientNode &left = tree_.nodes[first], &right = tree_.nodes[first + 1];
    const double middle = (left.value + right.value) / 2;
    (rises > 0 ? left.bound.high : left.bound.low) = middle;
    (rises > 0 ? right.bound.low : right.bound.high) = middle;
}

}  // namespace hornbeam
