#include "ensembles/forest.hpp"

#include <algorithm>
#include <memory>

#include "ensembles/forest_tree_grower.hpp"
#include "growing/drop_derived.hpp"

namespace hornbeam {
namespace {

// The branch of missing values.
int majority_branch(const TreeRecords& tree, const NodeRecord& node) {
    const NodeRecord* child = tree.nodes.data() + node.first_child;
    return child[0].weight >= child[1].weight ? 0 : 1;
}

double mean_of(const NodeRecord& node, const Target& target) {
    return target.origin + static_cast<double>(node.sum) / static_cast<double>(node.weight) * target.unit;
}

// Writes the arrays of a large tree with integer weights directly in the form that drop_derived() would produce.
void write_packed(const TreeRecords& tree, const Plan& plan, Grown& out) {
    const std::vector<NodeRecord>& nodes = tree.nodes;
    const std::size_t n = tree.n_nodes, n_inner = n / 2;
    const bool is_class = plan.target.is_class();
    out.first_child.resize(n), out.reason.resize(n);
    out.column.resize(n_inner), out.reals.resize(n_inner), out.gain.resize(n_inner);
    if (!is_class) out.stats.resize(3 * n);
    bool leaves_are_pure = true;
    for (std::size_t i = 0, inner = 0; i < n; ++i) {
        const NodeRecord& node = nodes[i];
        out.first_child[i] = node.first_child;
        out.reason[i] = static_cast<std::int8_t>(node.reason);
        if (!is_class) {
            out.stats[3 * i] = static_cast<double>(node.weight);
            out.stats[3 * i + 1] = mean_of(node, plan.target);
            out.stats[3 * i + 2] = node.spread;
        }
        if (node.is_leaf()) {
            leaves_are_pure &= node.impurity == 0.0;
            continue;
        }
        out.column[inner] = node.column;
        out.reals[inner] = node.cut;
        out.gain[inner++] = node.gain;
    }
    out.row_counts = narrowed(n, nodes[0].rows, [&](std::size_t i) { return nodes[i].rows; });
    if (plan.missing.stays) out.missing_branch.assign(n, -1);
    if (!is_class) return;
    const std::int64_t largest = *std::max_element(tree.counts.begin(), tree.counts.begin() + out.width);
    out.counts = narrowed(n * out.width, largest, [&](std::size_t i) { return tree.counts[i]; });
    out.impurity.resize(leaves_are_pure ? n_inner : n);
    for (std::size_t i = 0, at = 0; i < n; ++i)
        if (!nodes[i].is_leaf() || !leaves_are_pure) out.impurity[at++] = nodes[i].impurity;
}

// Writes the arrays of any other tree in full.
void write_all(const TreeRecords& tree, const Plan& plan, Grown& out) {
    const Target& target = plan.target;
    const std::size_t n = tree.n_nodes;
    out.first_child.reserve(n), out.missing_branch.reserve(n), out.reason.reserve(n), out.rows.reserve(n);
    out.weight.reserve(n), out.impurity.reserve(n), out.gain.reserve(n), out.stats.reserve(n * out.width);
    for (std::size_t i = 0; i < n; ++i) {
        const NodeRecord& node = tree.nodes[i];
        append_node(node, target, out);
        if (target.is_class())
            append_class_weights(tree.counts.data() + i * tree.n_classes, target, out);
        else
            append_moments(mean_of(node, target), node.spread, out);
        out.missing_branch.push_back(node.is_leaf() || plan.missing.stays ? -1 : majority_branch(tree, node));
        if (!node.is_leaf()) out.column.push_back(node.column), out.reals.push_back(node.cut);
    }
}

// The arrays of a tree.
Grown arrays_of(const TreeRecords& tree, const Plan& plan) {
    const Target& target = plan.target;
    Grown out;
    out.width = target.is_class() ? target.n_classes : 3;
    if (target.weight_unit == 1.0 && is_worth_packing(tree.n_nodes * out.width)) {
        write_packed(tree, plan, out);
    } else {
        write_all(tree, plan, out);
        drop_derived(out, target.is_class());
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
