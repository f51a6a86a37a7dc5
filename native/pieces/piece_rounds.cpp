// The requests of a grower, and what their answers mean for its nodes.
#include <algorithm>
#include <cmath>

#include "pieces/piece_grower.hpp"
#include "pieces/total.hpp"

namespace hornbeam {

// The tree so far as arrays.
void PieceGrower::write_tree() {
    request_ = RequestArrays{};
    RequestArrays& out = request_;
    out.shape = shape_;
    const std::size_t n = routes_.size();
    out.first_child.resize(n);
    out.slot.assign(n, -1);
    out.total.assign(n, -1);
    out.otherwise = otherwise_;
    for (const ReadyColumn& column : columns_) out.n_codes.push_back(column.n_codes);
    out.first_question = {0};
    for (std::size_t i = 0; i < n; ++i) {
        out.first_child[i] = fragments_[0].records[i].first_child;
        for (const RouteQuestion& question : routes_[i]) {
            out.question_column.push_back(question.column);
            out.question_map.push_back(static_cast<std::int64_t>(out.maps.size()));
            out.maps.insert(out.maps.end(), question.branch_of.begin(), question.branch_of.end());
        }
        out.first_question.push_back(static_cast<std::int32_t>(out.question_column.size()));
    }
}

void PieceGrower::set_columns(const std::vector<char>& is_wanted) {
    auto start = std::make_shared<std::vector<std::int64_t>>(columns_.size(), -1);
    slot_size_ = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (!is_wanted[c]) continue;
        request_.columns.push_back(static_cast<std::int32_t>(c));
        (*start)[c] = slot_size_;
        slot_size_ += (columns_[c].n_codes + 1) * static_cast<std::int64_t>(request_.shape.width());
    }
    cell_start_ = std::move(start);
}

void PieceGrower::request_sums() {
    step_ = Step::sums;
    write_tree();
    std::vector<char> is_wanted(columns_.size(), 0);
    for (Family& family : families_) {
        bool is_built = false;
        for (std::size_t b = 0; b < family.children.size(); ++b) {
            const std::int32_t record = family.children[b].record;
            if (family.needs_totals) {
                if (b == 0) family.first_total = request_.n_totals;
                request_.total[record] = request_.n_totals++;
            }
            if (family.slot[b] < 0) continue;
            request_.slot[record] = family.slot[b] = request_.n_slots++;
            is_built = true;
        }
        for (const std::int32_t column : family.active) is_wanted[column] |= is_built;
    }
    set_columns(is_wanted);
}

// The sides that rows take at the nodes that are split next: by their own question.
void PieceGrower::request_sides() {
    step_ = Step::sides;
    for (PieceNode& node : taken_) routes_[node.record] = node.questions;
    write_tree();
    for (PieceNode& node : taken_) routes_[node.record].clear();
    request_.shape = CellShape{3, shape_.is_weighted};
    request_.by_side = true;
    std::vector<char> is_wanted(columns_.size(), 0);
    for (PieceNode& node : taken_) {
        request_.slot[node.record] = request_.n_slots++;
        for (const std::int32_t column : node.active) is_wanted[column] |= plan_.surrogates > 0;
    }
    set_columns(is_wanted);
}

void PieceGrower::request_rows() {
    step_ = Step::rows;
    write_tree();
    std::int64_t room = limits_.collected_at_once;
    while (!small_.empty() && (finished_.empty() || small_.back().totals.rows <= room)) {
        room -= small_.back().totals.rows;
        request_.slot[small_.back().record] = request_.n_slots++;
        finished_.push_back(std::move(small_.back()));
        small_.pop_back();
    }
    set_columns(std::vector<char>(columns_.size(), 1));
}

void PieceGrower::answer(const PieceSums& sums, Stop& stop) {
    if (step_ == Step::sides) {
        answer_sides(sums);
        return open_taken(stop);
    }
    for (Family& family : families_) {
        for (std::size_t b = 0; family.needs_totals && b < family.children.size(); ++b)
            read_total(sums, family.first_total + static_cast<std::int32_t>(b), family.children[b].totals);
        take_cells(family, sums);
    }
    std::vector<Family> families = std::move(families_);
    families_.clear();
    settle(families, stop);
}

void PieceGrower::answer_sides(const PieceSums& sums) {
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        const std::int64_t* slot = sums.cells.data() + static_cast<std::int64_t>(i) * slot_size_;
        search_.choose_surrogates(taken_[i], [&](std::int32_t column, std::vector<std::int64_t>& cells) {
            const std::int64_t* from = slot + (*cell_start_)[column];
            cells.assign(from, from + (columns_[column].n_codes + 1) * request_.shape.width());
        });
    }
}

// The cells of the children: from the answer, or what is left of the parent's.
void PieceGrower::take_cells(Family& family, const PieceSums& sums) {
    const auto slot = [&](std::size_t b) { return sums.cells.data() + family.slot[b] * slot_size_; };
    for (std::size_t b = 0; b < family.children.size(); ++b) {
        if (!family.is_searched[b] || family.slot[b] < 0) continue;
        auto cells = std::make_shared<NodeCells>();
        cells->start = cell_start_;
        cells->sums.assign(slot(b), slot(b) + slot_size_);
        family.children[b].cells = std::move(cells);
    }
    if (family.rest < 0) return;
    std::shared_ptr<NodeCells> rest = std::move(family.cells);
    for (const std::int32_t column : family.active) {
        std::int64_t* left = rest->sums.data() + (*rest->start)[column];
        const std::int64_t n = (columns_[column].n_codes + 1) * static_cast<std::int64_t>(shape_.width());
        for (std::size_t b = 0; b < family.children.size(); ++b) {
            if (family.slot[b] < 0) continue;
            const std::int64_t* less = slot(b) + (*cell_start_)[column];
            for (std::int64_t i = 0; i < n; ++i) left[i] -= less[i];
        }
    }
    family.children[family.rest].cells = std::move(rest);
}

void PieceGrower::read_total(const PieceSums& sums, std::int32_t place, Totals& totals) const {
    const std::int64_t* cell = sums.totals.data() + static_cast<std::size_t>(place) * total_width(shape_);
    const bool is_class = shape_.n_classes > 0;
    read_cell(plan_.target, shape_, units_, cell, is_class ? 0.0 : sums.low[place], is_class ? 0.0 : sums.high[place],
              totals);
    search_.finish_totals(totals);
}

}  // namespace hornbeam
