#include "boosting/gradient_tree.hpp"

#include <algorithm>

#include "boosting/split_test.hpp"
#include "core/partition.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t BLOCK_ROWS = 8192;
constexpr std::int32_t ROWS_PER_PART = 12'000;  // the histogram of a node with more rows is built by several threads

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
    tree_.nodes.push_back(decisions_.root(sum_of(pairs, rows)));
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
        table_.with_codes_of(tree_.nodes[blocks[b].node].split.column,
                             [&](const auto& code) { partition_block(blocks[b], code); });
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

// The nodes of one depth. Their histograms are built, or subtracted from that of the parent, word by word, and the
// columns of a word are searched while its sums are in the cache.
void GradientGrower::search_nodes(std::vector<Work>& works) {
    found_.resize(tree_.nodes.size());
    candidate_columns_.resize(tree_.nodes.size());
    for (const Work& work : works)
        for (const std::int32_t at : {work.build, work.rest})
            if (at >= 0) {
                found_[at].assign(table_.columns.size(), {});
                candidate_columns_[at] = decisions_.columns_at(tree_.nodes[at]);
            }
    build_in_parallel(works);
    const std::vector<std::int64_t>& tasks = histograms_.tasks();
    const auto n_tasks = static_cast<std::int64_t>(tasks.size());
    team_.each(static_cast<std::int64_t>(works.size()) * n_tasks,
               [&](std::int64_t i, int worker) { search_task(works[i / n_tasks], tasks[i % n_tasks], worker); });
    for (const Work& work : works) {
        for (const std::int32_t part : work.parts) histograms_.release(part);
        for (const std::int32_t at : {work.build, work.rest})
            if (at >= 0) choose_split(at);
    }
}

// Builds the histogram of a node with many rows in parts, one thread per part. Sums are integers, so the result is the
// same.
void GradientGrower::build_in_parallel(std::vector<Work>& works) {
    if (team_.size() == 1) return;
    struct PartialSums {
        std::int32_t histogram;
        std::int64_t task;
        std::span<const std::uint32_t> rows;
    };
    std::vector<PartialSums> partial_sums;
    for (Work& work : works) {
        if (work.build < 0) continue;
        const GradientNode& node = tree_.nodes[work.build];
        const std::int32_t n = std::min<std::int32_t>(team_.size(), node.rows() / ROWS_PER_PART);
        if (n < 2) continue;
        for (std::int32_t p = 0; p < n; ++p) {
            if (p > 0) work.parts.push_back(histograms_.acquire());
            const std::int32_t to = p > 0 ? work.parts.back() : node.cells;
            const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(i * node.rows() / n); };
            const std::span<const std::uint32_t> rows = rows_of(node).subspan(at(p), at(p + 1) - at(p));
            for (const std::int64_t task : histograms_.tasks()) partial_sums.push_back({to, task, rows});
        }
    }
    team_.each(static_cast<std::int64_t>(partial_sums.size()), [&](std::int64_t i, int) {
        histograms_.fill(partial_sums[i].histogram, partial_sums[i].task, partial_sums[i].rows);
    });
}

void GradientGrower::search_task(Work& work, std::int64_t task, int worker) {
    if (work.build >= 0) {
        const GradientNode& node = tree_.nodes[work.build];
        if (work.parts.empty()) histograms_.fill(node.cells, task, rows_of(node));
        for (const std::int32_t part : work.parts) histograms_.add_histogram(node.cells, task, part);
    }
    if (work.rest >= 0) {
        const std::int32_t rest = tree_.nodes[work.rest].cells;
        if (work.build >= 0)
            histograms_.subtract(rest, task, tree_.nodes[work.build].cells);
        else
            histograms_.remove(rest, task, rows_of(tree_.nodes[work.subtracted]));
    }
    for (const std::int32_t at : {work.build, work.rest})
        if (at >= 0) search_columns(at, task, worker);
}

void GradientGrower::search_columns(std::int32_t at, std::int64_t task, int worker) {
    const GradientNode& node = tree_.nodes[at];
    const GradientSearch& search = decisions_.search();
    const std::int64_t min_hessian = search.min_child_hessian(node.sums);
    for (const std::int32_t c : histograms_.columns_of(task))
        if (candidate_columns_[at][c])
            found_[at][c] =
                search.best(histograms_.cells(node.cells, c), c, node.sums, node.bound, min_hessian, scratch_[worker]);
}

void GradientGrower::choose_split(std::int32_t at) {
    GradientNode& node = tree_.nodes[at];
    decisions_.choose_split(node, found_[at]);
    if (node.gain <= 0) {
        histograms_.release(node.cells);
        node.cells = -1;
    }
    found_[at].clear();
}

}  // namespace hornbeam
