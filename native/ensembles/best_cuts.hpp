// BestCuts: finds the best cut of the candidate columns of a node. A binary column has one cut. The cells of other
// columns are gathered and sorted, one column after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/midpoint.hpp"
#include "ensembles/binary_columns.hpp"
#include "ensembles/column_search.hpp"
#include "ensembles/cut_scorer.hpp"
#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"
#include "ensembles/lookup.hpp"
#include "ensembles/node_cells.hpp"
#include "ensembles/tree_records.hpp"

namespace hornbeam {

template <class Side, class Cell>
class BestCuts {
  public:
    using Best = ColumnCut<Cell>;
    static constexpr bool counts_rows = false;

    BestCuts(const Grid& grid, const Cells<Cell>& cells, CutScorer<Side>& scorer, int n_classes)
        : grid_(grid),
          cells_(grid, cells),
          scorer_(scorer),
          bits_(grid, cells),
          n_sums_(Side::n_sums(n_classes)),
          scan_(scorer, n_classes),
          found_(grid.n_columns) {}

    template <class OnConstant>
    void start_node(const OnConstant&) {
        n_found_ = 0;
        bits_.start_node(scorer_.node().rows, scorer_.node().n);
        cells_.start_node(scorer_.node().rows, scorer_.node().n);
    }

    // Searches columns in ascending order; calls on_constant(column) for columns that do not vary.
    template <class OnConstant>
    void search(const std::int32_t* columns, std::int32_t n, const OnConstant& on_constant) {
        with_cells_.clear();
        for (std::int32_t i = 0; i < n; ++i) {
            if (grid_.bit[columns[i]] < 0) {
                with_cells_.push_back(columns[i]);
            } else if (bits_.varies(columns[i])) {
                add(columns[i], bits_.add_lane(columns[i]), 0, 1);
            } else {
                on_constant(columns[i]);
            }
        }
        score_bits();
        cells_.gather(with_cells_, [&](std::int32_t column, const Cell* cells, std::int32_t slot) {
            const auto [low, high] = range_of(cells, scorer_.node().n);
            if (low == high) return on_constant(column);
            scan_.score(add(column, slot, low, high), cells);
        });
    }
    bool has_found() const { return n_found_ > 0; }

    // Returns the first best cut in the order of columns, and sets it in the scorer.
    Best best(std::uint64_t) {
        const auto end = found_.begin() + n_found_;
        if (bits_.has_lanes())
            std::sort(found_.begin(), end, [](const auto& a, const auto& b) { return a.column < b.column; });
        Best best;
        for (auto cut = found_.begin(); cut != end; ++cut) {
            if (!cut->is_found || !scorer_.is_better(cut->score)) continue;
            scorer_.set_best(cut->score);
            best = *cut;
        }
        return best;
    }

    // Calls use(is_right), where is_right(i, row) returns whether a row goes to the right branch of a cut.
    template <class Use>
    void with_is_right(const Best& best, const Use& use) {
        const std::int32_t bit = grid_.bit[best.column];
        if (bit >= 0)
            use([words = bits_.words(), bit](std::int32_t i, std::uint32_t) { return words[i] >> bit & 1; });
        else
            use([cells = cells_.of_cut(best.column, best.slot), low = best.low](std::int32_t i, std::uint32_t) {
                return cells[i] > low;
            });
    }

    // The sums below the best cut are not stored.
    static bool sums_below(const Best&, NodeRecord&, std::int64_t*) { return false; }

    // The midpoint between the values next to the cut.
    double threshold(const Best& best) const {
        const std::vector<double>& values = grid_.values[best.column];
        return midpoint(values[best.low], values[best.high]);
    }

  private:
    Best& add(std::int32_t column, std::int32_t slot, Cell low, Cell high) {
        Best& cut = found_[n_found_++];
        cut.column = column, cut.slot = slot, cut.low = low, cut.high = high, cut.is_found = false;
        return cut;
    }

    // Scores the cuts found so far, all of binary columns, in the order of their lanes.
    void score_bits() {
        if (!bits_.has_lanes() || n_found_ == 0) return;
        const NodeRows<Side>& node = scorer_.node();
        const BitChunks bits = bits_.chunks();
        const std::size_t lanes = static_cast<std::size_t>(LANES) * bits.n_chunks;
        sums_.assign(lanes * n_sums_ * LaneSums::BANKS, 0);
        scores_.resize(lanes);
        sum_below(bits, node.data, node.n, {sums_.data(), lanes, n_sums_});
        scorer_.side().scores(sums_.data(), lanes, scores_.data());
        for (std::int32_t i = 0; i < n_found_; ++i) {
            Best& cut = found_[i];
            cut.score = scores_[cut.slot];
            cut.is_found = scorer_.fits(scorer_.side().weight_below(sums_.data(), lanes, cut.slot),
                                        [&](std::int32_t at) { return bits_.is_right(at, cut.column); });
        }
    }

    const Grid& grid_;
    NodeCells<Cell> cells_;
    CutScorer<Side>& scorer_;
    BinaryColumns<Cell> bits_;
    std::size_t n_sums_;
    ColumnScan<Side, Cell> scan_;
    std::vector<std::int32_t> with_cells_;
    std::vector<Best> found_;
    std::int32_t n_found_ = 0;
    std::vector<std::int64_t> sums_;
    std::vector<double> scores_;
};

}  // namespace hornbeam
