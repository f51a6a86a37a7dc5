#include "boosting/gradient_tree.hpp"

#include <algorithm>

#include "boosting/split_test.hpp"
#include "core/partition.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t BLOCK_ROWS = 8192;

}  // namespace

GradientGrower::GradientGrower(const BinnedTable& table, const Regular& regular, const TreeLimits& limits,
                               const SplitTest& test, Team& team)
    : table_(table),
      test_(test),
      team_(team),
      decisions_(table, regular, limits),
      histograms_(table),
      scratch_(team.size()) {}

GradientTree GradientGrower::grow(const Pair* pairs, const Units& units, std::vector<std::uint32_t>& rows,
                                  std::uint64_t tree) {
    tree_ = GradientTree();
    found_.clear();
    asked_columns_.clear();
    decisions_.start_tree(units, tree);
    histograms_.start_tree(pairs, decisions_.columns_of_tree());
    rows_ = rows.data();
    spare_.resize(rows.size());
    Sums all;
    for (const std::uint32_t row : rows) all = all + Sums{pairs[row].first, pairs[row].second};
    tree_.nodes.push_back(decisions_.root(all));
    std::vector<Work> works;
    if (tree_.nodes[0].is_searched) {
        tree_.nodes[0].cells = histograms_.take();
        works.emplace_back().build = 0;
    }
    look(works);
    decisions_.run(tree_, [&](const std::vector<std::int32_t>& which, bool search_children) {
        split(which, search_children);
        return true;
    });
    for (GradientNode& node : tree_.nodes) {
        if (node.first_child < 0) histograms_.give_back(node.cells);
        node.cells = -1;
    }
    test_.prune(tree_, table_, pairs, rows_, team_);
    // A tree without a split changes nothing: a step of -G / H would have no bound.
    if (tree_.nodes.size() == 1) tree_.nodes[0].value = 0.0;
    return std::move(tree_);
}

// ---- splitting ------------------------------------------------------------------------------------------------------

void GradientGrower::split(const std::vector<std::int32_t>& which, bool search_children) {
    for (const std::int32_t at : which) {
        const GradientNode& node = tree_.nodes[at];
        decisions_.set_branches(tree_, at, histograms_.cells(node.cells, node.split.column));
    }
    divide(which);
    std::vector<Work> works;
    for (const std::int32_t at : which) {
        decisions_.add_children(tree_, at, search_children);
        const std::int32_t left = tree_.nodes[at].first_child, right = left + 1;
        const bool is_left_smaller = tree_.nodes[left].rows() <= tree_.nodes[right].rows();
        const std::int32_t smaller = is_left_smaller ? left : right, larger = left + right - smaller;
        const std::int32_t parent = tree_.nodes[at].cells;
        tree_.nodes[at].cells = -1;
        Work work;
        if (tree_.nodes[larger].is_searched) {
            work.rest = larger;
            tree_.nodes[larger].cells = parent;
            (tree_.nodes[smaller].is_searched ? work.build : work.taken) = smaller;
        } else {
            histograms_.give_back(parent);
            if (tree_.nodes[smaller].is_searched) work.build = smaller;
        }
        if (work.build >= 0) tree_.nodes[work.build].cells = histograms_.take();
        if (work.build >= 0 || work.rest >= 0) works.push_back(std::move(work));
    }
    look(works);
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

}  // namespace hornbeam
