#include "boosting/gradient_tree.hpp"

#include <algorithm>

#include "boosting/split_test.hpp"
#include "core/partition.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t BLOCK_ROWS = 8192;

}  // namespace

GradientGrower::GradientGrower(const BinnedTable& table, const Regularization& regular, const TreeLimits& limits,
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
    candidate_columns_.clear();
    decisions_.start_tree(units, tree);
    histograms_.start_tree(pairs, decisions_.columns_of_tree());
    rows_ = rows.data();
    spare_.resize(rows.size());
    Sums all;
    for (const std::uint32_t row : rows) all = all + Sums{pairs[row].first, pairs[row].second};
    tree_.nodes.push_back(decisions_.root(all));
    std::vector<Work> works;
    if (tree_.nodes[0].is_searched) {
        tree_.nodes[0].cells = histograms_.acquire();
        works.emplace_back().build = 0;
    }
    search_nodes(works);
    decisions_.run(tree_, [&](const std::vector<std::int32_t>& which, bool search_children) {
        split(which, search_children);
        return true;
    });
    for (GradientNode& node : tree_.nodes) {
        if (node.first_child < 0) histograms_.release(node.cells);
        node.cells = -1;
    }
    test_.prune(tree_, table_, pairs, rows_, team_);
    // A tree without a split adds 0: a step of -G / H would be unbounded.
    if (tree_.nodes.size() == 1) tree_.nodes[0].value = 0.0;
    return std::move(tree_);
}

void GradientGrower::split(const std::vector<std::int32_t>& which, bool search_children) {
    for (const std::int32_t at : which) {
        const GradientNode& node = tree_.nodes[at];
        decisions_.set_branches(tree_, at, histograms_.cells(node.cells, node.split.column));
    }
    partition_rows(which);
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
            (tree_.nodes[smaller].is_searched ? work.build : work.subtracted) = smaller;
        } else {
            histograms_.release(parent);
            if (tree_.nodes[smaller].is_searched) work.build = smaller;
        }
        if (work.build >= 0) tree_.nodes[work.build].cells = histograms_.acquire();
        if (work.build >= 0 || work.rest >= 0) works.push_back(std::move(work));
    }
    search_nodes(works);
}

struct GradientGrower::Block {
    std::int32_t node, begin, end, left = 0, to_right = 0;
};

// Partitions each block separately; then copies its two parts after those of the blocks before it.
void GradientGrower::partition_rows(const std::vector<std::int32_t>& which) {
    std::vector<Block> blocks;
    for (const std::int32_t at : which)
        for (std::int32_t i = tree_.nodes[at].begin; i < tree_.nodes[at].end; i += BLOCK_ROWS)
            blocks.push_back({at, i, std::min(i + BLOCK_ROWS, tree_.nodes[at].end)});
    const auto count = static_cast<std::int64_t>(blocks.size());
    const auto partition_block = [&](Block& block, const auto& code) {
        const std::uint8_t* branch = tree_.branch_pool.data() + tree_.nodes[block.node].branches;
        block.left = set_aside(rows_ + block.begin, block.end - block.begin, spare_.data() + block.begin,
                               [&](std::uint32_t row) { return branch[code(row)]; });
    };
    team_.each(count, [&](std::int64_t b, int) {
        const BinnedColumn& column = table_.columns[tree_.nodes[blocks[b].node].split.column];
        if (column.word < 0) return partition_block(blocks[b], [&](std::uint32_t row) { return column.wide[row]; });
        const std::uint32_t* words = table_.words[column.word].get();
        const int shift = column.shift;
        partition_block(blocks[b], [=](std::uint32_t row) { return words[row] >> shift & 0xFF; });
    });
    // The left rows of a block are at its start, the right rows at the start of its spare block. The left rows are
    // moved first, in order, because their destination is at or before them; the right rows are copied after them.
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
