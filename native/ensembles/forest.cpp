#include "ensembles/forest.hpp"

#include <algorithm>
#include <memory>

#include "ensembles/forest_tree_grower.hpp"
#include "growing/leave_out.hpp"

namespace hornbeam {
namespace {

// The branch of missing values.
int majority_branch(const TreeRecords& tree, const NodeRecord& node) {
    const NodeRecord* child = tree.nodes.data() + node.first_child;
    return child[0].weight >= child[1].weight ? 0 : 1;
}

// Writes the arrays of a large tree with integer weights directly in the form that leave_out() would produce.
void write_packed(const TreeRecords& tree, const Plan& plan, bool leaves_are_pure, Grown& out) {
    const std::vector<NodeRecord>& nodes = tree.nodes;
    const std::size_t n = tree.n_nodes;
    out.row_counts = narrowed(n, nodes[0].rows, [&](std::size_t i) { return nodes[i].rows; });
    if (plan.missing.stays) out.missing_branch.assign(n, -1);
    if (!plan.target.is_class()) return;
    const std::int64_t largest = *std::max_element(tree.counts.begin(), tree.counts.begin() + out.width);
    out.counts = narrowed(n * out.width, largest, [&](std::size_t i) { return tree.counts[i]; });
    out.impurity.resize(leaves_are_pure ? n / 2 : n);
    for (std::size_t i = 0, at = 0; i < n; ++i)
        if (nodes[i].column >= 0 || !leaves_are_pure) out.impurity[at++] = nodes[i].impurity;
}

// Writes the arrays of any other tree in full.
void write_all(const TreeRecords& tree, const Plan& plan, Grown& out) {
    const std::size_t n = tree.n_nodes;
    const double unit = plan.target.weight_unit;
    out.missing_branch.resize(n), out.rows.resize(n), out.weight.resize(n), out.impurity.resize(n), out.gain.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const NodeRecord& node = tree.nodes[i];
        const bool follows_branch = node.column >= 0 && !plan.missing.stays;
        out.missing_branch[i] = follows_branch ? majority_branch(tree, node) : -1;
        out.rows[i] = node.rows;
        out.weight[i] = static_cast<double>(node.weight) * unit;
        out.impurity[i] = node.impurity;
        out.gain[i] = node.gain;
    }
    if (!plan.target.is_class()) return;
    out.stats.resize(n * out.width);
    for (std::size_t i = 0; i < out.stats.size(); ++i) out.stats[i] = static_cast<double>(tree.counts[i]) * unit;
}

// The arrays of a tree.
Grown arrays_of(const TreeRecords& tree, const Plan& plan) {
    const Target& target = plan.target;
    const std::size_t n = tree.n_nodes, n_inner = n / 2;
    Grown out;
    out.width = target.is_class() ? target.n_classes : 3;
    out.first_child.resize(n), out.reason.resize(n);
    out.column.resize(n_inner), out.reals.resize(n_inner), out.gain.resize(n_inner);
    if (!target.is_class()) out.stats.resize(3 * n);
    bool leaves_are_pure = true;
    std::size_t inner = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const NodeRecord& node = tree.nodes[i];
        out.first_child[i] = node.first_child;
        out.reason[i] = static_cast<std::int8_t>(node.reason);
        if (!target.is_class()) {
            const auto weight = static_cast<double>(node.weight);
            out.stats[3 * i] = weight * target.weight_unit;
            out.stats[3 * i + 1] = target.origin + static_cast<double>(node.sum) / weight * target.unit;
            out.stats[3 * i + 2] = node.spread;
        }
        if (node.column < 0) {
            leaves_are_pure &= node.impurity == 0.0;
            continue;
        }
        out.column[inner] = node.column;
        out.reals[inner] = node.cut;
        out.gain[inner++] = node.gain;
    }
    if (target.weight_unit == 1.0 && is_worth_packing(n * out.width)) {
        write_packed(tree, plan, leaves_are_pure, out);
    } else {
        write_all(tree, plan, out);
        leave_out(out, target.is_class());
    }
    return out;
}

}  // namespace

std::vector<Grown> grow_forest(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done) {
    const int threads = usable_threads(plan.threads);
    const auto grid = make_grid(plan.columns, plan.n_rows, plan.cuts.random, plan.target.classes, threads, stop);
    std::vector<std::unique_ptr<ForestTreeGrower>> growers(threads);
    std::vector<Grown> out(task.n_trees);
    parallel_for(task.n_trees, threads, stop, [&](std::int64_t i, int worker) {
        if (!growers[worker]) growers[worker] = make_forest_tree_grower(plan, *grid);
        const auto tree = static_cast<std::uint64_t>(task.first + i);
        std::vector<std::uint32_t> times;
        if (task.sampling.by != SampleBy::none)
            times = multiplicities(task.sampling, plan.n_rows, plan.target.classes.data(), plan.target.n_classes,
                                   plan.seed, tree);
        out[i] = arrays_of(growers[worker]->grow(times, tree, stop), plan);
        done.fetch_add(1, std::memory_order_relaxed);
    });
    return out;
}

}  // namespace hornbeam
