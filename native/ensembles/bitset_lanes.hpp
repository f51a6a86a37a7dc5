// BitsetLanes: the rows below the cuts of a small node, as bit sets (row_bitsets.hpp). While all nodes below a small
// node grow, its rows stay in place and each node is a bit set of them: rows are not partitioned, binary columns are
// bit sets already, and the rows of each class below a cut are counted without reading rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"
#include "ensembles/row_bitsets.hpp"

namespace hornbeam {

template <class Cell>
class BitsetLanes {
  public:
    BitsetLanes(const Grid& grid, const Cells<Cell>& cells, int n_classes)
        : grid_(grid),
          by_row_(cells.by_row.data()),
          classes_(n_classes),
          sets_(grid.n_columns + LANES),
          cell_lane_(grid.n_columns),
          copied_(static_cast<std::size_t>(grid.n_columns + LANES) * BITSET_ROWS) {}

    // Stores a small node: n rows, sorted by class, which must stay valid; counts[k] rows of class k. Calls
    // on_constant(column) for binary columns that do not vary.
    template <class OnConstant>
    void load_rows(const std::uint32_t* rows, std::int32_t n, const std::int64_t* counts,
                   const OnConstant& on_constant) {
        rows_ = rows;
        std::uint64_t remaining = first_bits(n);
        for (std::size_t k = 0; k < classes_.size(); ++k) {
            const std::uint64_t others = counts[k] < BITSET_ROWS ? remaining << counts[k] : 0;
            classes_[k] = remaining & ~others;
            remaining &= others;
        }
        if (grid_.word < 0) return;
        std::uint64_t words[BITSET_ROWS];
        for (std::int32_t i = 0; i < n; ++i) words[i] = grid_.word_of(by_row_, rows[i]);
        const std::uint64_t varying = transpose_bits(words, n, column_sets_);
        for (std::int32_t c = 0; c < grid_.n_columns; ++c)
            if (grid_.bit[c] >= 0 && !(varying >> grid_.bit[c] & 1)) on_constant(c);
    }

    // Starts a node whose rows are this set.
    void start_node(std::uint64_t set) { set_ = set; }

    // Assigns lanes to the columns that may vary and writes the lowest and highest cell of each; returns their number.
    std::int32_t assign_lanes(const std::int32_t* columns, std::int32_t n, std::int32_t* found, double* lows,
                              double* highs) {
        std::int32_t lanes = 0;
        n_cells_ = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            const std::int32_t column = columns[i], bit = grid_.bit[column];
            found[lanes] = column;
            if (bit < 0) {
                cell_lane_[n_cells_++] = lanes++;
                continue;
            }
            const std::uint64_t below = set_ & ~column_sets_[bit];
            sets_[lanes] = below;
            lows[lanes] = grid_.values[column][0], highs[lanes] = grid_.values[column][1];
            lanes += below != 0 && below != set_;
        }
        in_chunks([&](const std::int32_t* lane, std::int32_t m, double* to) {
            const Cell* from[LANES];
            double low[LANES], high[LANES];
            for (std::int32_t j = 0; j < LANES; ++j) from[j] = by_row_ + grid_.offset[found[lane[j < m ? j : 0]]];
            gather_set(ColumnCells<Cell>{from, LANES, static_cast<std::size_t>(grid_.stride)}, rows_, set_, to, low,
                       high);
            for (std::int32_t j = 0; j < m; ++j) lows[lane[j]] = low[j], highs[lane[j]] = high[j];
        });
        return lanes;
    }

    // Counts, for the first n lanes, the rows of each class at or below their cuts; returns the number of lanes rounded
    // up to complete chunks.
    std::size_t count_below(const double* cuts, std::int32_t n, std::int64_t* counts) {
        in_chunks([&](const std::int32_t* lane, std::int32_t m, const double* cells) {
            double cut[LANES];
            std::uint64_t below[LANES];
            for (std::int32_t j = 0; j < LANES; ++j) cut[j] = cuts[lane[j < m ? j : 0]];
            rows_below(cells, cut, set_, below);
            for (std::int32_t j = 0; j < m; ++j) sets_[lane[j]] = below[j];
        });
        const std::int32_t lanes = (n + LANES - 1) / LANES * LANES;
        for (std::int32_t i = n; i < lanes; ++i) sets_[i] = 0;
        count_rows(sets_.data(), lanes, classes_.data(), static_cast<int>(classes_.size()), counts);
        return static_cast<std::size_t>(lanes);
    }

    // The rows below the cut of a lane.
    std::uint64_t below(std::int32_t lane) const { return sets_[lane]; }

  private:
    // Calls use(lanes, number of lanes, cells) for every four columns with cells.
    template <class Use>
    void in_chunks(const Use& use) {
        for (std::int32_t i = 0; i < n_cells_; i += LANES)
            use(cell_lane_.data() + i, std::min(LANES, n_cells_ - i),
                copied_.data() + static_cast<std::size_t>(i) * BITSET_ROWS);
    }

    const Grid& grid_;
    const Cell* by_row_;
    const std::uint32_t* rows_ = nullptr;
    std::uint64_t set_ = 0;                        // rows of the node
    std::vector<std::uint64_t> classes_;           // per class
    std::uint64_t column_sets_[BITSET_ROWS] = {};  // per binary column: rows with its second value
    std::vector<std::uint64_t> sets_;              // per lane: rows below its cut
    std::int32_t n_cells_ = 0;
    std::vector<std::int32_t> cell_lane_;  // lanes of columns with cells
    std::vector<double> copied_;
};

}  // namespace hornbeam
