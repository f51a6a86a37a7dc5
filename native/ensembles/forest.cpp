#include "ensembles/forest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "core/midpoint.hpp"
#include "ensembles/lean.hpp"
#include "growing/leave_out.hpp"

namespace hornbeam {
namespace {

// The threshold of a node: as drawn, or in the middle between the values on both sides of the cut.
double threshold(const LeanNode& node, const Plan& plan, const Grid& grid) {
    if (plan.cuts.random) return std::bit_cast<double>(node.cut);
    const std::vector<double>& values = grid.values[node.column];
    return midpoint(values[node.cut >> 32], values[node.cut & 0xFFFFFFFFu]);
}

// The statistics of a node of numbers.
void write_number(const LeanNode& node, const Target& target, double* stats) {
    const auto weight = static_cast<double>(node.weight);
    stats[0] = weight * target.weight_unit;
    stats[1] = target.origin + static_cast<double>(node.sum) / weight * target.unit;
    stats[2] = node.spread;
}

int heavier_branch(const LeanTree& tree, const LeanNode& node) {
    const LeanNode* child = tree.nodes.data() + node.first_child;
    return child[0].weight >= child[1].weight ? 0 : 1;
}

// The arrays of a tree from its nodes as they were written, in full.
Grown in_full(const LeanTree& tree, const Plan& plan, const Grid& grid) {
    const Target& target = plan.target;
    const std::size_t n = tree.n_nodes;
    Grown out;
    out.width = target.is_class() ? target.n_classes : 3;
    out.first_child.resize(n), out.missing_branch.resize(n), out.reason.resize(n), out.rows.resize(n);
    out.weight.resize(n), out.impurity.resize(n), out.gain.resize(n), out.stats.resize(n * out.width);
    out.column.reserve(n / 2), out.reals.reserve(n / 2);
    for (std::size_t i = 0; i < n; ++i) {
        const LeanNode& node = tree.nodes[i];
        out.first_child[i] = node.first_child;
        out.missing_branch[i] = node.column < 0 || plan.missing.stays ? -1 : heavier_branch(tree, node);
        out.reason[i] = static_cast<std::int8_t>(node.reason);
        out.rows[i] = node.rows;
        out.weight[i] = static_cast<double>(node.weight) * target.weight_unit;
        out.impurity[i] = node.impurity;
        out.gain[i] = node.gain;
        if (node.column >= 0) out.column.push_back(node.column), out.reals.push_back(threshold(node, plan, grid));
        double* stats = out.stats.data() + i * out.width;
        if (target.is_class()) {
            const std::int64_t* counts = tree.counts.data() + i * out.width;
            for (int k = 0; k < out.width; ++k) stats[k] = static_cast<double>(counts[k]) * target.weight_unit;
        } else {
            write_number(node, target, stats);
        }
    }
    leave_out(out, target.is_class());
    return out;
}

// The same of a large tree whose weights are whole numbers, made at once as leave_out() would leave it.
Grown packed(const LeanTree& tree, const Plan& plan, const Grid& grid) {
    const bool is_class = plan.target.is_class();
    const std::vector<LeanNode>& nodes = tree.nodes;
    const std::size_t n = tree.n_nodes, n_inner = n / 2;
    Grown out;
    out.width = is_class ? plan.target.n_classes : 3;
    out.first_child.resize(n), out.reason.resize(n);
    out.column.resize(n_inner), out.reals.resize(n_inner), out.gain.resize(n_inner);
    bool leaves_are_pure = true;
    std::size_t inner = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const LeanNode& node = nodes[i];
        out.first_child[i] = node.first_child;
        out.reason[i] = static_cast<std::int8_t>(node.reason);
        if (node.column < 0) {
            leaves_are_pure &= node.impurity == 0.0;
            continue;
        }
        out.column[inner] = node.column;
        out.reals[inner] = threshold(node, plan, grid);
        out.gain[inner++] = node.gain;
    }
    out.row_counts = narrowed(n, nodes[0].rows, [&](std::size_t i) { return nodes[i].rows; });
    if (plan.missing.stays) out.missing_branch.assign(n, -1);
    if (is_class) {
        const std::int64_t largest = *std::max_element(tree.counts.begin(), tree.counts.begin() + out.width);
        out.counts = narrowed(n * out.width, largest, [&](std::size_t i) { return tree.counts[i]; });
        out.impurity.resize(leaves_are_pure ? n_inner : n);
        for (std::size_t i = 0, at = 0; i < n; ++i)
            if (nodes[i].column >= 0 || !leaves_are_pure) out.impurity[at++] = nodes[i].impurity;
    } else {
        out.stats.resize(n * 3);
        for (std::size_t i = 0; i < n; ++i) write_number(nodes[i], plan.target, out.stats.data() + 3 * i);
    }
    return out;
}

Grown handed_over(const LeanTree& tree, const Plan& plan, const Grid& grid) {
    const std::size_t width = plan.target.is_class() ? plan.target.n_classes : 3;
    const bool is_whole = plan.target.weight_unit == 1.0;
    return is_whole && is_worth_packing(tree.n_nodes * width) ? packed(tree, plan, grid) : in_full(tree, plan, grid);
}

std::vector<Grown> grow_lean(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done) {
    const int threads = usable_threads(plan.threads);
    const auto grid = make_grid(plan.columns, plan.n_rows, plan.cuts.random, plan.target.classes, threads, stop);
    std::vector<std::unique_ptr<LeanGrower>> growers(threads);
    std::vector<Grown> out(task.n_trees);
    parallel_for(task.n_trees, threads, stop, [&](std::int64_t i, int worker) {
        if (!growers[worker]) growers[worker] = make_lean(plan, *grid);
        const auto tree = static_cast<std::uint64_t>(task.first + i);
        std::vector<std::uint32_t> times;
        if (task.draw.by != DrawBy::none)
            times = multiplicities(task.draw, plan.n_rows, plan.target.classes.data(), plan.target.n_classes, plan.seed,
                                   tree);
        out[i] = handed_over(growers[worker]->grow(times, tree, stop), plan, *grid);
        done.fetch_add(1, std::memory_order_relaxed);
    });
    return out;
}

}  // namespace

std::vector<Grown> grow_forest(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done) {
    return grow_lean(plan, task, stop, done);
}

}  // namespace hornbeam
