// CellLanes: the cells of the candidate columns of a node in adjacent lanes. If at most half of the columns are
// candidates, their cells are gathered: from the table by row, or from the table by column if the node is large and its
// rows are dense. Otherwise rows are read in place, from the table by row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"

namespace hornbeam {

// `Cell` is double, or float if every value of the table is exact as a float.
template <class Cell>
class CellLanes {
  public:
    CellLanes(const Grid& grid, const Cells<Cell>& cells)
        : grid_(grid),
          by_column_(cells.by_column.data()),
          by_row_(cells.by_row.data()),
          stride_(grid.stride),
          dense_(std::max<std::int64_t>(LARGE, grid.n_rows / 8)),
          offsets_(grid.n_columns + LANES) {}

    // The lane of each column, -1 if it has no cells; the lowest and highest cell of each lane.
    struct Lanes {
        std::int32_t* lane;
        double *lows, *highs;
    };

    void assign_lanes(std::span<const std::int32_t> columns, std::span<const std::uint32_t> rows, bool by_class,
                      const Lanes& found) {
        const auto& [lane, lows, highs] = found;
        const auto n_columns = static_cast<std::int32_t>(columns.size()), n = static_cast<std::int32_t>(rows.size());
        rows_ = rows.data(), n_ = n;
        std::int32_t n_with_cells = 0;
        for (std::int32_t i = 0; i < n_columns; ++i) n_with_cells += (lane[i] = grid_.offset[columns[i]]) >= 0;
        n_chunks_ = 0;
        is_copied_ = 2 * n_with_cells <= grid_.width;
        if (n_with_cells == 0) return;
        width_ = by_class && n_with_cells <= 2 ? n_with_cells : LANES;
        if (is_copied_ && n > dense_)
            return copy(columns, 1, found, [&](std::int32_t column) { return by_column_[column]; });
        if (is_copied_)
            return copy(columns, stride_, found, [&](std::int32_t column) { return by_row_ + grid_.offset[column]; });
        std::int32_t last = -1;
        for (std::int32_t i = 0; i < n_columns; ++i) {
            if (lane[i] < 0) continue;
            const std::int32_t offset = lane[i] / LANES * LANES;
            if (offset != last) offsets_[n_chunks_++] = last = offset;
            lane[i] += (n_chunks_ - 1) * LANES - offset;
        }
        ranges_of(in_place(nullptr), n, lows, highs);
    }
    // The number of lanes in use, including those of columns that are not candidates.
    std::int32_t n_lanes() const { return LANES * n_chunks_; }

    double cell(std::int32_t column, std::uint32_t row) const { return by_row_[row * stride_ + grid_.offset[column]]; }

    // Computes, per lane, the exact sums of the rows at or below its cut.
    template <class Data>
    void sums(const double* cuts, const Data& data, const LaneSums& sums) const {
        if (n_chunks_ == 0) return;
        if (!is_copied_) return sum_below(in_place(cuts), data, n_, sums);
        if constexpr (std::is_same_v<Data, ClassRuns>)
            for (int j = 0; j < n_chunks_; ++j)
                sum_below(copied_.data() + offsets_[j], width_, cuts + LANES * j, data, sums.from(LANES * j));
        else
            sum_below(copied(cuts), data, n_, sums);
    }

    // Calls use(is_right), where is_right(i, row) returns whether a row goes to the right branch of a cut of this lane.
    template <class Use>
    void with_is_right(std::int32_t column, std::int32_t lane, double cut, const Use& use) const {
        if (is_copied_)
            use([cells = copied_.data() + offsets_[lane / LANES] + lane % LANES, cut,
                 step = static_cast<std::size_t>(width_)](std::int32_t i, std::uint32_t) {
                return cells[i * step] > cut;
            });
        else
            use([cells = by_row_ + grid_.offset[column], stride = stride_, cut](std::int32_t, std::uint32_t row) {
                return cells[row * stride] > cut;
            });
    }

  private:
    static constexpr std::int64_t LARGE = 4096;  // nodes with more rows, and more than an eighth of all rows, are dense

    CellChunks<Cell> copied(const double* cuts) const {
        return {copied_.data(), LANES, in_order_.data(), offsets_.data(), cuts, n_chunks_};
    }
    CellChunks<Cell> in_place(const double* cuts) const {
        return {by_row_, stride_, rows_, offsets_.data(), cuts, n_chunks_};
    }

    // Gathers the cells of columns into adjacent lanes, four columns at a time.
    template <class Begin>
    void copy(std::span<const std::int32_t> columns, std::size_t step, const Lanes& found, const Begin& begin_of) {
        std::int32_t* lane = found.lane;
        const std::size_t n_columns = columns.size();
        const std::size_t size = static_cast<std::size_t>(n_) * LANES;
        const std::size_t size_of_all = size * ((n_columns + LANES - 1) / LANES);
        if (capacity_ < size_of_all) copied_.resize(capacity_ = size_of_all);
        for (auto i = static_cast<std::uint32_t>(in_order_.size()); i < static_cast<std::uint32_t>(n_); ++i)
            in_order_.push_back(i);
        const Cell* from[LANES];
        int lanes = 0;
        const auto gather_four = [&] {
            if (lanes == 0) return;
            for (int j = lanes; j < LANES; ++j) from[j] = from[0];
            offsets_[n_chunks_] = static_cast<std::int64_t>(size) * n_chunks_;
            gather(ColumnCells<Cell>{from, width_, step}, rows_, n_, copied_.data() + size * n_chunks_,
                   found.lows + LANES * n_chunks_, found.highs + LANES * n_chunks_);
            ++n_chunks_;
            lanes = 0;
        };
        for (std::size_t i = 0; i < n_columns; ++i) {
            if (lane[i] < 0) continue;
            from[lanes] = begin_of(columns[i]);
            lane[i] = n_chunks_ * LANES + lanes++;
            if (lanes == LANES) gather_four();
        }
        gather_four();
    }

    const Grid& grid_;
    const Cell* const* by_column_;
    const Cell* by_row_;
    std::size_t stride_;
    std::int64_t dense_;
    const std::uint32_t* rows_ = nullptr;
    std::int32_t n_ = 0;
    bool is_copied_ = false;
    int n_chunks_ = 0, width_ = LANES;  // `width_` cells of a chunk are copied per row
    std::vector<std::int64_t> offsets_;
    LargePages<Cell> copied_;  // aligned: four cells never cross a cache line
    std::size_t capacity_ = 0;
    std::vector<std::uint32_t> in_order_;
};

}  // namespace hornbeam
