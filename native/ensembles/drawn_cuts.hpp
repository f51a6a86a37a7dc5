// Which of a node's random cuts is best?  One a column, between its lowest and highest cell, all columns side by side:
// a pass over the rows for the ranges, a pass for what lies below (lanes.hpp).
//
// Where few columns are asked about, the first pass gathers their cells: from the table by row, or by column where the
// node is large and its rows are dense. Where most are, rows are looked at as they lie in the table by row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "ensembles/best_of_node.hpp"
#include "ensembles/bit_columns.hpp"
#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"
#include "ensembles/lean.hpp"

namespace hornbeam {

// `Cell` is a number in double precision, or in single precision where every one is exact in it.
template <class Side, class Cell>
class DrawnCuts {
  public:
    struct Best {
        std::int32_t column, lane;
        double cut;
    };

    DrawnCuts(const Grid& grid, const LargePages<Cell>& by_row, BestOfNode<Side>& judge, int n_classes)
        : grid_(grid),
          by_row_(by_row.data()),
          judge_(judge),
          bits_(grid),
          n_sums_(Side::n_sums(n_classes)),
          dense_(std::max<std::int64_t>(LARGE, grid.n_rows / 8)),
          columns_(grid.n_columns),
          lane_(grid.n_columns) {
        // Cells and bits each end with a chunk that is not full.
        const std::size_t most = static_cast<std::size_t>(grid.n_columns) + 2 * LANES;
        offsets_.resize(most), lows_.resize(most), highs_.resize(most), cuts_.resize(most), scores_.resize(most);
        sums_.resize(most * n_sums_ * LaneSums::BANKS);
    }

    void enter() {
        n_found_ = 0;
        bits_.enter(judge_.node().rows, judge_.node().n);
    }

    // Columns in ascending order; those that do not vary are told.
    template <class OnConstant>
    void look_at(const std::int32_t* columns, std::int32_t n, const OnConstant& on_constant) {
        lay_out(columns, n);
        const std::int32_t first_bit = LANES * n_chunks_;
        for (std::int32_t i = 0; i < n; ++i) {
            std::int32_t lane = lane_[i];
            if (lane < 0 && bits_.varies(columns[i])) {
                lane = first_bit + bits_.ask(columns[i]);
                lows_[lane] = grid_.values[columns[i]][0], highs_[lane] = grid_.values[columns[i]][1];
            }
            if (lane < 0 || lows_[lane] == highs_[lane]) {
                on_constant(columns[i]);
                continue;
            }
            columns_[n_found_] = columns[i];
            lane_[n_found_++] = lane;
        }
    }
    bool has_found() const { return n_found_ > 0; }

    // One draw a column, in the order of columns; the best is left with the judge.
    Best best(std::uint64_t key) {
        // Of two rows every column makes the same two children: the first wins.
        if (judge_.node().n == 2) n_found_ = std::min(n_found_, 1);
        Stream stream(key);
        for (std::int32_t i = 0; i < n_found_; ++i) {
            const std::int32_t lane = lane_[i];
            cuts_[lane] = between(stream.uniform(), lows_[lane], highs_[lane]);
        }
        add_up();
        judge_.side().scores(sums_.data(), lanes_, scores_.data());
        std::int32_t best = -1;
        for (std::int32_t i = 0; i < n_found_; ++i) {
            if (!judge_.would_win(scores_[lane_[i]]) || !fits(i)) continue;
            judge_.take(scores_[lane_[i]]);
            best = i;
        }
        return best < 0 ? Best{} : Best{columns_[best], lane_[best], cuts_[lane_[best]]};
    }

    // Calls use(is_right) with what tells of a row to which side of a cut it goes.
    template <class Use>
    void with_sides(const Best& best, const Use& use) const {
        const std::int32_t bit = grid_.bit[best.column];
        if (bit >= 0) {
            use([words = bits_.words(), bit](std::int32_t i, std::uint32_t) { return words[i] >> bit & 1; });
        } else if (is_copied_) {
            use([cells = copied_.data() + offsets_[best.lane / LANES] + best.lane % LANES, cut = best.cut](
                    std::int32_t i, std::uint32_t) { return cells[static_cast<std::size_t>(i) * LANES] > cut; });
        } else {
            use([cells = by_row_ + grid_.place[best.column], stride = static_cast<std::size_t>(grid_.stride),
                 cut = best.cut](std::int32_t, std::uint32_t row) { return cells[row * stride] > cut; });
        }
    }

    // What lies below the best cut, for a node that has no sums yet.
    bool sums_below(const Best& best, LeanNode& left, std::int64_t* counts) const {
        judge_.side().sums_below(sums_.data(), lanes_, best.lane, left.weight, left.sum, counts);
        return true;
    }

    static void write(const Best& best, LeanNode& node) { node.cut = std::bit_cast<std::uint64_t>(best.cut); }

  private:
    static constexpr std::int64_t LARGE = 4096;  // nodes of more rows, and of an eighth of all, are dense

    // A number in [least, most), as parts/searches/random_cuts.py draws it.
    static double between(double u, double least, double most) {
        const double drawn = least + u * (most - least);
        return least <= drawn && drawn < most ? drawn : least;
    }

    // What lies below every cut.
    void add_up() {
        const NodeRows<Side>& node = judge_.node();
        const BitChunks bits = bits_.chunks();
        const std::size_t of_cells = static_cast<std::size_t>(LANES) * n_chunks_;
        lanes_ = of_cells + static_cast<std::size_t>(LANES) * bits.n_chunks;
        std::fill_n(sums_.data(), lanes_ * n_sums_ * (node.n < LaneSums::MANY ? 1 : LaneSums::BANKS), 0);
        const LaneSums sums{sums_.data(), lanes_, n_sums_};
        with_chunks([&](const auto& chunks) { sum_below(chunks, node.data, node.n, sums); });
        if (bits.n_chunks > 0) sum_below(bits, node.data, node.n, sums.from(of_cells));
    }

    bool fits(std::int32_t i) const {
        const std::int32_t column = columns_[i], lane = lane_[i];
        return judge_.fits(judge_.side().weight_below(sums_.data(), lanes_, lane), [&](std::int32_t at) {
            return grid_.bit[column] >= 0 ? bits_.is_right(at, column)
                                          : grid_.reals.by_column[column][judge_.node().rows[at]] > cuts_[lane];
        });
    }

    // Calls use(chunks) with the cells of the node's rows, where they lie or as they were copied.
    template <class Use>
    void with_chunks(const Use& use) const {
        if (n_chunks_ == 0) return;
        const NodeRows<Side>& node = judge_.node();
        if (is_copied_)
            use(CellChunks<double>{copied_.data(), LANES, in_order_.data(), offsets_.data(), cuts_.data(), n_chunks_});
        else
            use(CellChunks<Cell>{by_row_, static_cast<std::size_t>(grid_.stride), node.rows, offsets_.data(),
                                 cuts_.data(), n_chunks_});
    }

    // Finds the chunks in which the columns lie, the lane of each, and between which cells they lie.
    void lay_out(const std::int32_t* columns, std::int32_t n) {
        const NodeRows<Side>& node = judge_.node();
        std::int32_t with_cells = 0;
        for (std::int32_t i = 0; i < n; ++i) with_cells += (lane_[i] = grid_.place[columns[i]]) >= 0;
        n_chunks_ = 0;
        is_copied_ = with_cells > 0 && 2 * with_cells <= grid_.stride;
        if (is_copied_ && node.n > dense_)
            return copy<double>(columns, n, 1, [&](std::int32_t column) { return grid_.reals.by_column[column]; });
        if (is_copied_)
            return copy<Cell>(columns, n, static_cast<std::size_t>(grid_.stride),
                              [&](std::int32_t column) { return by_row_ + grid_.place[column]; });
        std::int32_t last = -1;
        for (std::int32_t i = 0; i < n; ++i) {
            if (lane_[i] < 0) continue;
            const std::int32_t offset = lane_[i] / LANES * LANES;
            if (offset != last) offsets_[n_chunks_++] = last = offset;
            lane_[i] += (n_chunks_ - 1) * LANES - offset;
        }
        with_chunks([&](const auto& chunks) { ranges_of(chunks, node.n, lows_.data(), highs_.data()); });
    }

    // Puts the columns' cells side by side, four at a time.
    template <class From, class Begin>
    void copy(const std::int32_t* columns, std::int32_t n, std::size_t step, const Begin& begin_of) {
        const NodeRows<Side>& node = judge_.node();
        const std::size_t size = static_cast<std::size_t>(node.n) * LANES;
        for (auto i = static_cast<std::uint32_t>(in_order_.size()); i < static_cast<std::uint32_t>(node.n); ++i)
            in_order_.push_back(i);
        const From* from[LANES];
        int lanes = 0;
        const auto gather_four = [&] {
            if (lanes == 0) return;
            for (int j = lanes; j < LANES; ++j) from[j] = from[0];
            if (copied_.size() < size * (n_chunks_ + 1)) copied_.resize(size * (n_chunks_ + 1));
            offsets_[n_chunks_] = static_cast<std::int64_t>(size) * n_chunks_;
            gather(from, step, node.rows, node.n, copied_.data() + size * n_chunks_, lows_.data() + LANES * n_chunks_,
                   highs_.data() + LANES * n_chunks_);
            ++n_chunks_;
            lanes = 0;
        };
        for (std::int32_t i = 0; i < n; ++i) {
            if (lane_[i] < 0) continue;
            from[lanes] = begin_of(columns[i]);
            lane_[i] = n_chunks_ * LANES + lanes++;
            if (lanes == LANES) gather_four();
        }
        gather_four();
    }

    const Grid& grid_;
    const Cell* by_row_;
    BestOfNode<Side>& judge_;
    BitColumns bits_;
    std::size_t n_sums_;
    std::int64_t dense_;
    bool is_copied_ = false;
    int n_chunks_ = 0;
    std::int32_t n_found_ = 0;
    std::vector<std::int32_t> columns_, lane_;          // columns found and their lanes
    std::vector<std::int64_t> offsets_;                 // chunks of cells
    std::vector<double> lows_, highs_, cuts_, scores_;  // a number a lane
    std::vector<std::int64_t> sums_;
    std::size_t lanes_ = 0;
    std::vector<double> copied_;
    std::vector<std::uint32_t> in_order_;
};

}  // namespace hornbeam
