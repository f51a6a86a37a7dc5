// What are the cells of a node's rows?  Looked up column by column where the node is large and its rows are dense, row
// by row where it is small; kept side by side until the node is split.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ensembles/grid.hpp"
#include "ensembles/lookup.hpp"

namespace hornbeam {

template <class Cell>
class NodeCells {
  public:
    NodeCells(const Grid& grid, const Cells<Cell>& cells)
        : grid_(grid), cells_(cells), dense_(std::max<std::int64_t>(LARGE, grid.n_rows / 8)) {}

    // Begins with a node; its rows must stay where they are until it is split.
    void enter(const std::uint32_t* rows, std::int32_t n) {
        rows_ = rows;
        n_ = n;
    }

    // Calls use(column, cells, slot) for columns that have cells; slot -1: the cells are not kept.
    template <class Use>
    void look_at(const std::vector<std::int32_t>& columns, const Use& use) {
        if (n_ > dense_) {
            const bool is_kept = columns.size() <= KEPT;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto slot = static_cast<std::int32_t>(is_kept ? i + 1 : 0);
                use(columns[i], from_column(columns[i], slot), is_kept ? slot : -1);
            }
            return;
        }
        for (std::size_t first = 0; first < columns.size(); first += TOGETHER) {
            Cell* to[TOGETHER];
            std::int32_t places[TOGETHER];
            const int together = static_cast<int>(std::min<std::size_t>(TOGETHER, columns.size() - first));
            const auto slot = static_cast<std::int32_t>(first) + 1;
            for (int j = 0; j < together; ++j) {
                to[j] = room(slot + j);
                places[j] = grid_.place[columns[first + j]];
            }
            fetch(TableRows<Cell>{cells_.by_row.data(), static_cast<std::size_t>(grid_.stride), rows_, n_}, together,
                  places, to);
            for (int j = 0; j < together; ++j) use(columns[first + j], to[j], slot + j);
        }
    }

    // The cells of a column looked at before, from its slot or anew.
    const Cell* of_cut(std::int32_t column, std::int32_t slot) {
        return slot >= 0 ? rooms_[slot].data() : from_column(column, 0);
    }

  private:
    static constexpr std::int64_t LARGE = 4096;  // nodes of more rows, and of an eighth of all, are dense
    static constexpr std::size_t KEPT = 16;      // columns of a dense node whose cells are kept

    const Cell* from_column(std::int32_t column, std::int32_t slot) {
        Cell* cells = room(slot);
        const Cell* from = cells_.by_column[column];
        for (std::int32_t i = 0; i < n_; ++i) cells[i] = from[rows_[i]];
        return cells;
    }

    Cell* room(std::int32_t slot) {
        if (rooms_.size() <= static_cast<std::size_t>(slot)) rooms_.resize(slot + 1);
        if (rooms_[slot].size() < static_cast<std::size_t>(n_)) rooms_[slot].resize(n_);
        return rooms_[slot].data();
    }

    const Grid& grid_;
    const Cells<Cell>& cells_;
    std::int64_t dense_;
    const std::uint32_t* rows_ = nullptr;
    std::int32_t n_ = 0;
    std::vector<std::vector<Cell>> rooms_;
};

}  // namespace hornbeam
