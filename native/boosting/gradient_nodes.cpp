// How are the nodes of a level searched?  Their histograms are added up or left over, word by word, and every column of
// a word is searched while its sums are in the cache.
#include <algorithm>

#include "boosting/gradient_tree.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t ROWS_A_PART = 12'000;  // a node with more rows is added up by several threads

}  // namespace

void GradientGrower::look(std::vector<Work>& works) {
    found_.resize(tree_.nodes.size());
    asked_columns_.resize(tree_.nodes.size());
    for (const Work& work : works)
        for (const std::int32_t at : {work.build, work.rest})
            if (at >= 0) {
                found_[at].assign(table_.columns.size(), {});
                asked_columns_[at] = decisions_.columns_at(tree_.nodes[at]);
            }
    build_in_parts(works);
    const std::vector<std::int64_t>& tasks = histograms_.tasks();
    const auto n_tasks = static_cast<std::int64_t>(tasks.size());
    team_.each(static_cast<std::int64_t>(works.size()) * n_tasks,
               [&](std::int64_t i, int member) { search_word(works[i / n_tasks], tasks[i % n_tasks], member); });
    for (const Work& work : works) {
        for (const std::int32_t part : work.parts) histograms_.give_back(part);
        for (const std::int32_t at : {work.build, work.rest})
            if (at >= 0) settle(at);
    }
}

// A node of many rows is added up in parts when there are threads for them; sums are whole, so parts change nothing.
void GradientGrower::build_in_parts(std::vector<Work>& works) {
    if (team_.size() == 1) return;
    struct Piece {
        std::int32_t histogram;
        std::int64_t task;
        std::span<const std::uint32_t> rows;
    };
    std::vector<Piece> pieces;
    for (Work& work : works) {
        if (work.build < 0) continue;
        const GradientNode& node = tree_.nodes[work.build];
        const std::int32_t n = std::min<std::int32_t>(team_.size(), node.rows() / ROWS_A_PART);
        if (n < 2) continue;
        for (std::int32_t p = 0; p < n; ++p) {
            if (p > 0) work.parts.push_back(histograms_.take());
            const std::int32_t to = p > 0 ? work.parts.back() : node.cells;
            const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(i * node.rows() / n); };
            const std::span<const std::uint32_t> rows = rows_of(node).subspan(at(p), at(p + 1) - at(p));
            for (const std::int64_t task : histograms_.tasks()) pieces.push_back({to, task, rows});
        }
    }
    team_.each(static_cast<std::int64_t>(pieces.size()),
               [&](std::int64_t i, int) { histograms_.fill(pieces[i].histogram, pieces[i].task, pieces[i].rows); });
}

void GradientGrower::search_word(Work& work, std::int64_t task, int member) {
    if (work.build >= 0) {
        const GradientNode& node = tree_.nodes[work.build];
        if (work.parts.empty()) histograms_.fill(node.cells, task, rows_of(node));
        for (const std::int32_t part : work.parts) histograms_.join(node.cells, task, part);
    }
    if (work.rest >= 0) {
        const std::int32_t rest = tree_.nodes[work.rest].cells;
        if (work.build >= 0)
            histograms_.subtract(rest, task, tree_.nodes[work.build].cells);
        else
            histograms_.remove(rest, task, rows_of(tree_.nodes[work.taken]));
    }
    for (const std::int32_t at : {work.build, work.rest})
        if (at >= 0) search_columns(at, task, member);
}

void GradientGrower::search_columns(std::int32_t at, std::int64_t task, int member) {
    const GradientNode& node = tree_.nodes[at];
    const GradientSearch& search = decisions_.search();
    const std::int64_t least = search.least_hessian(node.sums);
    for (const std::int32_t c : histograms_.columns_of(task))
        if (asked_columns_[at][c])
            found_[at][c] =
                search.best(histograms_.cells(node.cells, c), c, node.sums, node.bound, least, scratch_[member]);
}

void GradientGrower::settle(std::int32_t at) {
    GradientNode& node = tree_.nodes[at];
    decisions_.settle(node, found_[at]);
    if (node.gain <= 0) {
        histograms_.give_back(node.cells);
        node.cells = -1;
    }
    found_[at].clear();
}

}  // namespace hornbeam
