// NodeCells: the cells of the candidate columns of a node, in one buffer per column until the node is split. They are
// gathered from the table by column if the node is large and its rows are dense, otherwise from the table by row.
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

    // Starts a node; `rows` must stay valid until the node is split.
    void start_node(const std::uint32_t* rows, std::int32_t n) {
        rows_ = rows;
        n_ = n;
    }

    // Gathers the cells of columns and calls use(column, cells, slot) for each; slot -1: the cells are not stored.
    template <class Use>
    void gather(const std::vector<std::int32_t>& columns, const Use& use) {
        if (n_ > dense_) {
            const bool is_stored = columns.size() <= MAX_STORED;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto slot = static_cast<std::int32_t>(is_stored ? i + 1 : 0);
                use(columns[i], from_column(columns[i], slot), is_stored ? slot : -1);
            }
            return;
        }
        for (std::size_t first = 0; first < columns.size(); first += FETCH_WIDTH) {
            Cell* to[FETCH_WIDTH];
            std::int32_t offsets[FETCH_WIDTH];
            const int n_columns = static_cast<int>(std::min<std::size_t>(FETCH_WIDTH, columns.size() - first));
            const auto slot = static_cast<std::int32_t>(first) + 1;
            for (int j = 0; j < n_columns; ++j) {
                to[j] = buffer(slot + j);
                offsets[j] = grid_.offset[columns[first + j]];
            }
            fetch(TableRows<Cell>{cells_.by_row.data(), static_cast<std::size_t>(grid_.stride), rows_, n_}, n_columns,
                  offsets, to);
            for (int j = 0; j < n_columns; ++j) use(columns[first + j], to[j], slot + j);
        }
    }

    // The cells of a column that was searched: from its slot, or gathered again.
    const Cell* of_cut(std::int32_t column, std::int32_t slot) {
        return slot >= 0 ? buffers_[slot].data() : from_column(column, 0);
    }

  private:
    static constexpr std::int64_t LARGE = 4096;  // nodes with more rows, and more than an eighth of all rows, are dense
    static constexpr std::size_t MAX_STORED = 16;  // columns of a dense node whose cells are stored

    const Cell* from_column(std::int32_t column, std::int32_t slot) {
        Cell* cells = buffer(slot);
        const Cell* from = cells_.by_column[column];
        for (std::int32_t i = 0; i < n_; ++i) cells[i] = from[rows_[i]];
        return cells;
    }

    Cell* buffer(std::int32_t slot) {
        if (buffers_.size() <= static_cast<std::size_t>(slot)) buffers_.resize(slot + 1);
        if (buffers_[slot].size() < static_cast<std::size_t>(n_)) buffers_[slot].resize(n_);
        return buffers_[slot].data();
    }

    const Grid& grid_;
    const Cells<Cell>& cells_;
    std::int64_t dense_;
    const std::uint32_t* rows_ = nullptr;
    std::int32_t n_ = 0;
    std::vector<std::vector<Cell>> buffers_;
};

}  // namespace hornbeam
