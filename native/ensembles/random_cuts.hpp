// RandomCuts: finds the best of the random cuts of a node. Each candidate column gets one cut between its lowest and
// highest cell. Columns are adjacent lanes (lanes.hpp): one pass over the rows finds the ranges, a second one computes
// the sums below the cuts. In small nodes, the rows below a cut are a bit set (bitset_lanes.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/midpoint.hpp"
#include "core/random.hpp"
#include "ensembles/binary_columns.hpp"
#include "ensembles/bitset_lanes.hpp"
#include "ensembles/cell_lanes.hpp"
#include "ensembles/cut_scorer.hpp"
#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"
#include "ensembles/tree_records.hpp"

namespace hornbeam {

template <class Side, class Cell>
class RandomCuts {
  public:
    struct Best {
        std::int32_t column, lane;
        double cut;
    };
    static constexpr bool counts_rows = Side::is_class;

    RandomCuts(const Grid& grid, const Cells<Cell>& cells, CutScorer<Side>& scorer, int n_classes)
        : grid_(grid),
          cells_(grid, cells),
          bitset_lanes_(grid, cells, n_classes),
          scorer_(scorer),
          bits_(grid, cells),
          n_classes_(n_classes),
          n_sums_(Side::n_sums(n_classes)),
          columns_(grid.n_columns),
          lane_(grid.n_columns) {
        // The last chunk of cells and the last chunk of bits may be incomplete.
        const std::size_t n_lanes = static_cast<std::size_t>(grid.n_columns) + 2 * LANES;
        lows_.resize(n_lanes), highs_.resize(n_lanes), cuts_.resize(n_lanes), scores_.resize(n_lanes);
        sums_.resize(n_lanes * n_sums_ * LaneSums::BANKS);
    }

    // Starts a node; calls on_constant(column) for columns that are found to be constant.
    template <class OnConstant>
    void start_node(const OnConstant& on_constant) {
        const NodeRows<Side>& node = scorer_.node();
        n_found_ = 0;
        if (!node.row_set) return bits_.start_node(node.rows, node.n);
        if (node.is_new) bitset_lanes_.load_rows(node.rows, node.n, node.sums.counts, on_constant);
        bitset_lanes_.start_node(node.row_set);
    }

    // Searches columns in ascending order; calls on_constant(column) for columns that do not vary.
    template <class OnConstant>
    void search(const std::int32_t* columns, std::int32_t n, const OnConstant& on_constant) {
        const NodeRows<Side>& node = scorer_.node();
        if (node.row_set) return search_set(columns, n);
        cells_.assign_lanes({columns, static_cast<std::size_t>(n)}, {node.rows, static_cast<std::size_t>(node.n)},
                            counts_rows && !node.data, {lane_.data(), lows_.data(), highs_.data()});
        for (std::int32_t i = 0; i < n; ++i) {
            std::int32_t lane = lane_[i];
            if (lane < 0 && bits_.varies(columns[i])) {
                lane = cells_.n_lanes() + bits_.add_lane(columns[i]);
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

    // Samples one cut per column, in the order of columns; returns the best one and sets it in the scorer.
    Best best(std::uint64_t key) {
        // If a node has two rows, every column gives the same children: the first column is used.
        if (scorer_.node().n == 2) n_found_ = std::min(n_found_, 1);
        Stream stream(key);
        for (std::int32_t i = 0; i < n_found_; ++i) {
            const std::int32_t lane = lane_[i];
            cuts_[lane] = between(stream.uniform(), lows_[lane], highs_[lane]);
        }
        add_up();
        scorer_.side().scores(sums_.data(), lanes_, scores_.data());
        std::int32_t best = -1;
        for (std::int32_t i = 0; i < n_found_; ++i) {
            if (!scorer_.is_better(scores_[lane_[i]]) || !fits(i)) continue;
            scorer_.set_best(scores_[lane_[i]]);
            best = i;
        }
        return best < 0 ? Best{} : Best{columns_[best], lane_[best], cuts_[lane_[best]]};
    }

    // Calls use(is_right), where is_right(i, row) returns whether a row goes to the right branch of a cut.
    template <class Use>
    void with_is_right(const Best& best, const Use& use) const {
        const std::int32_t bit = grid_.bit[best.column];
        if (bit >= 0)
            use([words = bits_.words(), bit](std::int32_t i, std::uint32_t) { return words[i] >> bit & 1; });
        else
            cells_.with_is_right(best.column, best.lane, best.cut, use);
    }
    // The bit set of the rows below the best cut.
    std::uint64_t set_below(const Best& best) const { return bitset_lanes_.below(best.lane); }

    // Writes the sums below the best cut to a node.
    bool sums_below(const Best& best, NodeRecord& left, std::int64_t* counts) const {
        scorer_.side().sums_below(sums_.data(), lanes_, best.lane, left.weight, left.sum, counts);
        return true;
    }

    static double threshold(const Best& best) { return best.cut; }

  private:
    // A cut in [minimum, maximum), sampled as in parts/searches/random_cuts.py.
    static double between(double u, double minimum, double maximum) {
        const double cut = minimum + u * (maximum - minimum);
        return minimum <= cut && cut < maximum ? cut : finite_low(minimum, maximum);
    }

    // Without a branch that depends on which columns vary.
    void search_set(const std::int32_t* columns, std::int32_t n) {
        const std::int32_t lanes = bitset_lanes_.assign_lanes(columns, n, columns_.data(), lows_.data(), highs_.data());
        n_found_ = 0;
        for (std::int32_t lane = 0; lane < lanes; ++lane) {
            columns_[n_found_] = columns_[lane];
            lane_[n_found_] = lane;
            n_found_ += lows_[lane] != highs_[lane];
        }
    }

    // Computes the sums below every cut.
    void add_up() {
        const NodeRows<Side>& node = scorer_.node();
        if constexpr (counts_rows) {
            if (node.row_set) {
                lanes_ =
                    bitset_lanes_.count_below(cuts_.data(), n_found_ > 0 ? lane_[n_found_ - 1] + 1 : 0, sums_.data());
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
        const std::int32_t n = scorer_.node().n;
        const BitChunks bits = bits_.chunks();
        const std::size_t n_cell_lanes = cells_.n_lanes();
        lanes_ = n_cell_lanes + static_cast<std::size_t>(LANES) * bits.n_chunks;
        const LaneSums sums{sums_.data(), lanes_, n_sums};
        if constexpr (std::is_pointer_v<Data>)
            std::fill_n(sums_.data(), lanes_ * n_sums * (n < LaneSums::MANY ? 1 : LaneSums::BANKS), 0);
        cells_.sums(cuts_.data(), data, sums);
        if (bits.n_chunks > 0) sum_below(bits, data, n, sums.from(n_cell_lanes));
    }

    bool fits(std::int32_t i) const {
        const std::int32_t column = columns_[i], lane = lane_[i];
        return scorer_.fits(scorer_.side().weight_below(sums_.data(), lanes_, lane), [&](std::int32_t at) {
            return grid_.bit[column] >= 0 ? bits_.is_right(at, column)
                                          : cells_.cell(column, scorer_.node().rows[at]) > cuts_[lane];
        });
    }

    const Grid& grid_;
    CellLanes<Cell> cells_;
    BitsetLanes<Cell> bitset_lanes_;
    CutScorer<Side>& scorer_;
    BinaryColumns<Cell> bits_;
    int n_classes_;
    std::size_t n_sums_;
    std::int32_t n_found_ = 0;
    std::vector<std::int32_t> columns_, lane_;          // columns that vary, and their lanes
    std::vector<double> lows_, highs_, cuts_, scores_;  // per lane
    std::vector<std::int64_t> sums_;
    std::size_t lanes_ = 0;
};

}  // namespace hornbeam
