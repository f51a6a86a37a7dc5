#include "ensembles/forest.hpp"

#include <cmath>
#include <memory>

#include "ensembles/lean.hpp"
#include "growing/leave_out.hpp"

namespace hornbeam {
namespace {

// The threshold of a node: as drawn, or in the middle between the values on both sides of the cut.
double threshold(const LeanNode& node, const Plan& plan, const Grid& grid) {
    if (plan.random_cuts) return node.cut;
    const Values& values = grid.values[node.column];
    const double low = values[node.below], high = values[node.above], middle = low + (high - low) / 2;
    return std::isfinite(middle) && middle < high ? middle : low;
}

// The arrays of a tree from its nodes as they were written.
Grown unpacked(const LeanTree& tree, const Plan& plan, const Grid& grid) {
    const Target& target = plan.target;
    const std::size_t n = tree.nodes.size();
    Grown out;
    out.width = target.is_class() ? target.n_classes : 3;
    out.first_child.resize(n), out.missing_branch.resize(n), out.reason.resize(n), out.rows.resize(n);
    out.weight.resize(n), out.impurity.resize(n), out.gain.resize(n), out.stats.resize(n * out.width);
    out.column.reserve(n / 2), out.reals.reserve(n / 2);
    for (std::size_t i = 0; i < n; ++i) {
        const LeanNode& node = tree.nodes[i];
        out.first_child[i] = node.first_child;
        out.missing_branch[i] = node.missing_branch;
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
            stats[0] = out.weight[i];
            stats[1] = target.origin + static_cast<double>(node.sum) / static_cast<double>(node.weight) * target.unit;
            stats[2] = node.spread;
        }
    }
    leave_out(out, target.is_class());
    return out;
}

std::vector<Grown> grow_lean(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done) {
    const int threads = usable_threads(plan.threads);
    const auto grid = make_grid(plan.columns, plan.n_rows, plan.random_cuts, threads, stop);
    std::vector<std::unique_ptr<LeanGrower>> growers(threads);
    std::vector<Grown> out(task.n_trees);
    parallel_for(task.n_trees, threads, stop, [&](std::int64_t i, int worker) {
        if (!growers[worker]) growers[worker] = make_lean(plan, *grid);
        const auto tree = static_cast<std::uint64_t>(task.first + i);
        const auto times =
            multiplicities(task.draw, plan.n_rows, plan.target.classes.data(), plan.target.n_classes, plan.seed, tree);
        out[i] = unpacked(growers[worker]->grow(times, tree, stop), plan, *grid);
        done.fetch_add(1, std::memory_order_relaxed);
    });
    return out;
}

}  // namespace

std::vector<Grown> grow_forest(const Plan& plan, const ForestTask& task, Stop& stop, std::atomic<std::int64_t>& done) {
    return grow_lean(plan, task, stop, done);
}

}  // namespace hornbeam
