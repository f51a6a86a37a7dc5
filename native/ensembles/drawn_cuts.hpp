// Which of a node's random cuts is best?  One a column, between its lowest and highest cell, all columns side by side
// (lanes.hpp): a pass over the rows for the ranges, a pass for what lies below. Of few rows, what lies below is a set
// (few_lanes.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/midpoint.hpp"
#include "core/random.hpp"
#include "ensembles/best_of_node.hpp"
#include "ensembles/bit_columns.hpp"
#include "ensembles/cell_lanes.hpp"
#include "ensembles/few_lanes.hpp"
#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"
#include "ensembles/lean_tree.hpp"

namespace hornbeam {

template <class Side, class Cell>
class DrawnCuts {
  public:
    struct Best {
        std::int32_t column, lane;
        double cut;
    };
    static constexpr bool counts_rows = Side::is_class;

    DrawnCuts(const Grid& grid, const Cells<Cell>& cells, BestOfNode<Side>& judge, int n_classes)
        : grid_(grid),
          cells_(grid, cells),
          few_(grid, cells, n_classes),
          judge_(judge),
          bits_(grid, cells),
          n_classes_(n_classes),
          n_sums_(Side::n_sums(n_classes)),
          columns_(grid.n_columns),
          lane_(grid.n_columns) {
        // Cells and bits each end with a chunk that is not full.
        const std::size_t most = static_cast<std::size_t>(grid.n_columns) + 2 * LANES;
        lows_.resize(most), highs_.resize(most), cuts_.resize(most), scores_.resize(most);
        sums_.resize(most * n_sums_ * LaneSums::BANKS);
    }

    // Columns that are seen not to vary are told.
    template <class OnConstant>
    void enter(const OnConstant& on_constant) {
        const NodeRows<Side>& node = judge_.node();
        n_found_ = 0;
        if (!node.few) return bits_.enter(node.rows, node.n);
        if (node.is_new) few_.begin(node.rows, node.n, node.sums.counts, on_constant);
        few_.enter(node.few);
    }

    // Columns in ascending order.
    template <class OnConstant>
    void look_at(const std::int32_t* columns, std::int32_t n, const OnConstant& on_constant) {
        const NodeRows<Side>& node = judge_.node();
        if (node.few) return look_at_few(columns, n);
        cells_.lay_out({columns, static_cast<std::size_t>(n)}, {node.rows, static_cast<std::size_t>(node.n)},
                       counts_rows && !node.data, {lane_.data(), lows_.data(), highs_.data()});
        for (std::int32_t i = 0; i < n; ++i) {
            std::int32_t lane = lane_[i];
            if (lane < 0 && bits_.varies(columns[i])) {
                lane = cells_.n_lanes() + bits_.ask(columns[i]);
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
        if (bit >= 0)
            use([words = bits_.words(), bit](std::int32_t i, std::uint32_t) { return words[i] >> bit & 1; });
        else
            cells_.with_sides(best.column, best.lane, best.cut, use);
    }
    // Of few rows, those that lie below the best cut.
    std::uint64_t set_below(const Best& best) const { return few_.below(best.lane); }

    // What lies below the best cut, for a node that has no sums yet.
    bool sums_below(const Best& best, LeanNode& left, std::int64_t* counts) const {
        judge_.side().sums_below(sums_.data(), lanes_, best.lane, left.weight, left.sum, counts);
        return true;
    }

    static double threshold(const Best& best) { return best.cut; }

  private:
    // A number in [least, most), as parts/searches/random_cuts.py draws it.
    static double between(double u, double least, double most) {
        const double drawn = least + u * (most - least);
        return least <= drawn && drawn < most ? drawn : finite_low(least, most);
    }

    // No jump depends on which of them vary.
    void look_at_few(const std::int32_t* columns, std::int32_t n) {
        const std::int32_t lanes = few_.lay_out(columns, n, columns_.data(), lows_.data(), highs_.data());
        n_found_ = 0;
        for (std::int32_t lane = 0; lane < lanes; ++lane) {
            columns_[n_found_] = columns_[lane];
            lane_[n_found_] = lane;
            n_found_ += lows_[lane] != highs_[lane];
        }
    }

    // What lies below every cut.
    void add_up() {
        const NodeRows<Side>& node = judge_.node();
        if constexpr (counts_rows) {
            if (node.few) {
                lanes_ = few_.count_below(cuts_.data(), n_found_ > 0 ? lane_[n_found_ - 1] + 1 : 0, sums_.data());
                return Side::pack(sums_.data(), lanes_);
            }
            if (!node.data) {
                add_up(ClassRuns{node.sums.counts, n_classes_}, n_classes_);
                return Side::pack(sums_.data(), lanes_);
            }
        }
        add_up(node.data, n_sums_);
    }
    template <class Data>
    void add_up(const Data& data, std::size_t n_sums) {
        const std::int32_t n = judge_.node().n;
        const BitChunks bits = bits_.chunks();
        const std::size_t of_cells = cells_.n_lanes();
        lanes_ = of_cells + static_cast<std::size_t>(LANES) * bits.n_chunks;
        const LaneSums sums{sums_.data(), lanes_, n_sums};
        if constexpr (std::is_pointer_v<Data>)
            std::fill_n(sums_.data(), lanes_ * n_sums * (n < LaneSums::MANY ? 1 : LaneSums::BANKS), 0);
        cells_.sums(cuts_.data(), data, sums);
        if (bits.n_chunks > 0) sum_below(bits, data, n, sums.from(of_cells));
    }

    bool fits(std::int32_t i) const {
        const std::int32_t column = columns_[i], lane = lane_[i];
        return judge_.fits(judge_.side().weight_below(sums_.data(), lanes_, lane), [&](std::int32_t at) {
            return grid_.bit[column] >= 0 ? bits_.is_right(at, column)
                                          : cells_.cell(column, judge_.node().rows[at]) > cuts_[lane];
        });
    }

    const Grid& grid_;
    CellLanes<Cell> cells_;
    FewLanes<Cell> few_;
    BestOfNode<Side>& judge_;
    BitColumns<Cell> bits_;
    int n_classes_;
    std::size_t n_sums_;
    std::int32_t n_found_ = 0;
    std::vector<std::int32_t> columns_, lane_;          // columns found and their lanes
    std::vector<double> lows_, highs_, cuts_, scores_;  // a number a lane
    std::vector<std::int64_t> sums_;
    std::size_t lanes_ = 0;
};

}  // namespace hornbeam
