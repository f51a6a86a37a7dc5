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
    const GradientSearch& search = decisions_.search();
    const std::int64_t least = search.least_hessian(node.sums);
    for (const std::int32_t c : columns)
        if (asked_columns_[at][c])
            found_[at][c] =
                search.best(cells(node.cells) + plan_.start[c], c, node.sums, node.bound, least, scratch_[member]);
}

void GradientGrower::settle(std::int32_t at) {
    GradientNode& node = tree_.nodes[at];
    decisions_.settle(node, found_[at]);
    if (node.gain <= 0) {
        give_back(node.cells);
        node.cells = -1;
    }
    found_[at].clear();
}

}  // namespace hornbeam
