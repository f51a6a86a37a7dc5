// Searches the nodes of one depth. Their histograms are built, or subtracted from that of the parent, word by word, and
// the columns of a word are searched while its sums are in the cache.
#include <algorithm>

#include "boosting/gradient_tree.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t ROWS_PER_PART = 12'000;  // the histogram of a node with more rows is built by several threads

}  // namespace

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
