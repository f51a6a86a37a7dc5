#include "boosting/gradient_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/random.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t BLOCK_ROWS = 8192;
constexpr std::int32_t ROWS_A_PART = 12'000;  // a node with more rows is added up by several threads

std::vector<std::uint8_t> drawn(double share, std::int64_t n, std::uint64_t key_of_draw) {
    const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(n)));
    if (count >= n) return std::vector<std::uint8_t>(n, 1);
    std::vector<std::uint8_t> out(n, 0);
    Stream stream(key_of_draw);
    for (const std::int64_t c : stream.choose(n, count)) out[c] = 1;
    return out;
}

}  // namespace

struct GradientGrower::Work {
    std::int32_t build = -1;          // the node whose histogram is added up from its rows
    std::int32_t rest = -1;           // the node that keeps what is left of the parent's
    std::int32_t taken = -1;          // whose rows are taken away, when nothing is built
    std::vector<std::int32_t> parts;  // histograms of parts of `build`, to be joined
};

std::int32_t GradientTree::leaf(const BinnedTable& table, std::int64_t row) const {
    std::int32_t at = 0;
    while (nodes[at].first_child >= 0) {
        const GradientNode& node = nodes[at];
        at = node.first_child + branch_pool[node.branches + table.code(node.split.column, row)];
    }
    return at;
}

GradientGrower::GradientGrower(const BinnedTable& table, const Regular& regular, const TreeLimits& limits, Team& team)
    : table_(table),
      regular_(regular),
      limits_(limits),
      team_(team),
      search_(table, regular),
      plan_(table, 2),
      columns_of_task_(table.columns_of),
      scratch_(team.size()) {
    for (const std::int32_t c : table.wide_columns) columns_of_task_.push_back({c});
    source_.kind = CellKind::pairs;
}

std::int32_t GradientGrower::take_cells() {
    if (free_.empty()) {
        free_.push_back(static_cast<std::int32_t>(pool_.size()));
        pool_.emplace_back(new std::int64_t[plan_.size]);
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
    in_tree_ = drawn(limits_.columns_per_tree, static_cast<std::int64_t>(table_.columns.size()),
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
    tree_.nodes[0].value = search_.value(root.sums, root.bound);
    tree_.nodes[0].may_split = may_split(tree_.nodes[0]);
    std::vector<Work> works;
    if (tree_.nodes[0].may_split) {
        tree_.nodes[0].cells = take_cells();
        works.emplace_back().build = 0;
    }
    look(works);
    // With no more leaves than the depth allows the order of growth changes nothing.
    const bool is_limited = limits_.max_leaves >= 0 && (limits_.max_depth < 0 || limits_.max_depth > 40 ||
                                                        (std::int64_t{1} << limits_.max_depth) > limits_.max_leaves);
    std::int64_t leaves = 1;
    std::vector<std::int32_t> open;
    if (tree_.nodes[0].gain > 0) open.push_back(0);
    while (!open.empty()) {
        std::vector<std::int32_t> which;
        if (!is_limited) {
            which.swap(open);
        } else {
            if (leaves >= limits_.max_leaves) break;
            const auto later = [&](std::int32_t a, std::int32_t b) {
                const GradientNode &x = tree_.nodes[a], &y = tree_.nodes[b];
                if (limits_.best_first && x.gain != y.gain) return x.gain < y.gain;
                return a > b;
            };
            const auto next = std::max_element(open.begin(), open.end(), later);
            which.push_back(*next);
            open.erase(next);
        }
        leaves += static_cast<std::int64_t>(which.size());
        const auto first = static_cast<std::int32_t>(tree_.nodes.size());
        split(which, !is_limited || leaves < limits_.max_leaves);
        for (auto at = first; at < static_cast<std::int32_t>(tree_.nodes.size()); ++at)
            if (tree_.nodes[at].gain > 0) open.push_back(at);
    }
    for (GradientNode& node : tree_.nodes) {
        if (node.first_child < 0) give_back(node.cells);
        node.cells = -1;
    }
    return std::move(tree_);
}

bool GradientGrower::may_split(const GradientNode& node) const {
    return (limits_.max_depth < 0 || node.depth < limits_.max_depth) && node.rows() >= 2 * regular_.min_rows &&
           search_.units().hessian(node.sums.hc) >= 2 * regular_.min_hessian;
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
        a.may_split = search_children && may_split(a);
        b.may_split = search_children && may_split(b);
        const std::int32_t smaller = a.rows() <= b.rows() ? left : right, larger = left + right - smaller;
        const std::int32_t parent = tree_.nodes[at].cells;
        tree_.nodes[at].cells = -1;
        Work work;
        if (tree_.nodes[larger].may_split) {
            work.rest = larger;
            tree_.nodes[larger].cells = parent;
            (tree_.nodes[smaller].may_split ? work.build : work.taken) = smaller;
        } else {
            give_back(parent);
            if (tree_.nodes[smaller].may_split) work.build = smaller;
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
        std::uint32_t *left = rows_ + block.begin, *right = spare_.data() + block.begin;
        for (std::int32_t i = block.begin; i < block.end; ++i) {
            const std::uint32_t row = rows_[i];
            const std::uint8_t side = branch[code(row)];
            *left = row;
            *right = row;
            left += 1 - side;
            right += side;
        }
        block.left = static_cast<std::int32_t>(left - (rows_ + block.begin));
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
        child.value = search_.value(child.sums, all);
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

// ---- searching ------------------------------------------------------------------------------------------------------

std::vector<std::uint8_t> GradientGrower::columns_at(const GradientNode& node) const {
    std::vector<std::uint8_t> out = in_tree_;
    if (!limits_.together.empty()) {
        std::vector<std::uint8_t> allowed(out.size(), 0);
        for (std::size_t g = 0; g < node.groups.size(); ++g)
            if (node.groups[g])
                for (const std::int32_t c : limits_.together[g]) allowed[c] = 1;
        for (std::size_t c = 0; c < out.size(); ++c) out[c] &= allowed[c];
    }
    if (limits_.columns_per_node < 1.0) {
        std::vector<std::int32_t> pool;
        for (std::size_t c = 0; c < out.size(); ++c)
            if (out[c]) pool.push_back(static_cast<std::int32_t>(c));
        const auto kept = drawn(limits_.columns_per_node, static_cast<std::int64_t>(pool.size()),
                                key(limits_.seed, Purpose::features, tree_number_, node.id));
        for (std::size_t i = 0; i < pool.size(); ++i) out[pool[i]] = kept[i];
    }
    return out;
}

void GradientGrower::look(std::vector<Work>& works) {
    found_.resize(tree_.nodes.size());
    asked_columns_.resize(tree_.nodes.size());
    for (const Work& work : works)
        for (const std::int32_t at : {work.build, work.rest})
            if (at >= 0) {
                found_[at].assign(table_.columns.size(), {});
                asked_columns_[at] = columns_at(tree_.nodes[at]);
            }
    build_in_parts(works);
    const auto n_tasks = static_cast<std::int64_t>(tasks_.size());
    team_.each(static_cast<std::int64_t>(works.size()) * n_tasks,
               [&](std::int64_t i, int member) { search_word(works[i / n_tasks], tasks_[i % n_tasks], member); });
    for (const Work& work : works) {
        for (const std::int32_t part : work.parts) give_back(part);
        for (const std::int32_t at : {work.build, work.rest})
            if (at >= 0) settle(at);
    }
}

// A node of many rows is added up in parts when there are threads for them; sums are whole, so parts change nothing.
void GradientGrower::build_in_parts(std::vector<Work>& works) {
    if (team_.size() == 1) return;
    struct Piece {
        std::int32_t node, cells, begin, end;
        std::int64_t task;
    };
    std::vector<Piece> pieces;
    for (Work& work : works) {
        if (work.build < 0) continue;
        const GradientNode& node = tree_.nodes[work.build];
        const std::int32_t n = std::min<std::int32_t>(team_.size(), node.rows() / ROWS_A_PART);
        if (n < 2) continue;
        for (std::int32_t p = 0; p < n; ++p) {
            if (p > 0) work.parts.push_back(take_cells());
            const std::int32_t to = p > 0 ? work.parts.back() : node.cells;
            const auto at = [&](std::int64_t i) { return node.begin + static_cast<std::int32_t>(i * node.rows() / n); };
            for (const std::int64_t task : tasks_) pieces.push_back({work.build, to, at(p), at(p + 1), task});
        }
    }
    team_.each(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t i, int) {
        const Piece& piece = pieces[i];
        clear(piece.task, cells(piece.cells));
        add(piece.task, rows_ + piece.begin, piece.end - piece.begin, cells(piece.cells), false);
    });
}

void GradientGrower::search_word(Work& work, std::int64_t task, int member) {
    const std::vector<std::int32_t>& columns = columns_of(task);
    if (work.build >= 0) {
        const GradientNode& node = tree_.nodes[work.build];
        std::int64_t* own = cells(node.cells);
        if (work.parts.empty()) {
            clear(task, own);
            add(task, rows_ + node.begin, node.rows(), own, false);
        }
        for (const std::int32_t part : work.parts)
            for (const std::int32_t c : columns) {
                std::int64_t* to = own + plan_.start[c];
                const std::int64_t* from = cells(part) + plan_.start[c];
                for (std::size_t i = 0; i < 2 * (table_.columns[c].n_bins + std::size_t{1}); ++i) to[i] += from[i];
            }
    }
    if (work.rest >= 0) {
        std::int64_t* rest = cells(tree_.nodes[work.rest].cells);
        if (work.build >= 0) {
            const std::int64_t* less = cells(tree_.nodes[work.build].cells);
            for (const std::int32_t c : columns)
                subtract(rest + plan_.start[c], less + plan_.start[c], 2 * (table_.columns[c].n_bins + std::size_t{1}));
        } else {
            const GradientNode& taken = tree_.nodes[work.taken];
            add(task, rows_ + taken.begin, taken.rows(), rest, true);
        }
    }
    for (const std::int32_t at : {work.build, work.rest})
        if (at >= 0) search_columns(at, columns, member);
}

void GradientGrower::search_columns(std::int32_t at, const std::vector<std::int32_t>& columns, int member) {
    const GradientNode& node = tree_.nodes[at];
    for (const std::int32_t c : columns)
        if (asked_columns_[at][c])
            found_[at][c] =
                search_.best(cells(node.cells) + plan_.start[c], c, node.sums, node.bound, scratch_[member]);
}

// The first column that comes near the best.
void GradientGrower::settle(std::int32_t at) {
    double top = -std::numeric_limits<double>::infinity();
    for (const GradientSplit& split : found_[at])
        if (split.asked != Asked::nothing) top = std::max(top, split.score);
    GradientNode& node = tree_.nodes[at];
    for (const GradientSplit& split : found_[at]) {
        if (split.asked == Asked::nothing || split.score < top - NEAR * std::fabs(top)) continue;
        node.split = split;
        node.gain = search_.gain(split, node.sums, node.bound);
        if (node.gain <= NEAR * std::fabs(split.score) / 2) node.gain = 0.0;
        break;
    }
    if (node.gain <= 0) {
        give_back(node.cells);
        node.cells = -1;
    }
    found_[at].clear();
}

}  // namespace hornbeam
