// Where is the cut of one column at one node, best or random?  The column's cells at the node come in the order of its
// rows, with the rows' targets beside them.
//
//     few codes between the lowest and the highest   rows are added up by code (a table that stays in the cache)
//     else                                           packed keys are sorted
//     random cuts                                    one pass: what lies at or below the cut
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "ensembles/grid.hpp"
#include "ensembles/sides.hpp"
#include "ensembles/sorting.hpp"

namespace hornbeam {

struct CutLimits {
    std::int32_t rows = 1;
    std::int64_t weight = 0;
};

// A column that varies at a node, between two codes; then its cut: `low` becomes the highest code below it, `high`
// (where the best cut is sought) the lowest above.
template <class Cell>
struct ColumnCut {
    std::int32_t column = -1;
    Cell low{}, high{};
    std::int32_t slot = -1;  // where its cells are, if they are kept
    double cut = 0.0;        // random cuts: where it was drawn
    double gain = 0.0;
    bool is_found = false;

    bool is_right(Cell cell) const { return cell > low; }
    // A cut in [low, high), as parts/searches/random_cuts.py draws it.
    void draw(double u, const std::vector<Values>& values) {
        if constexpr (std::is_same_v<Cell, double>) {
            low = cut = between(u, low, high);
        } else {
            cut = between(u, values[column][low], values[column][high]);
            low = static_cast<Cell>(values[column].at_or_below(cut));
        }
    }
    static double between(double u, double least, double most) {
        const double drawn = least + u * (most - least);
        return least <= drawn && drawn < most ? drawn : least;
    }
};

template <class Side, class Cell>
class ColumnScan {
  public:
    using Row = typename Side::Row;

    ColumnScan(const CutLimits& limits, Side side, int n_classes)
        : limits_(limits), side_(std::move(side)), cells_of_code_(Side::cells_of_code(n_classes)) {}

    // Begins with a node.
    void enter(const NodeSums& node, double impurity) {
        node_ = node;
        side_.start(node_);
        bar_ = 1e-10 * impurity / side_.to_gain();
    }

    // The best cut of a column's cells, the lowest and highest of which are known.
    void score(ColumnCut<Cell>& cut, const Cell* cells, const Row* data, std::int32_t n) {
        cells_ = cells;
        if (n < 2 * limits_.rows) return;
        side_.start(node_);
        best_ = Cut{side_.base(), -1, 0};
        count_ = 0;
        const std::size_t range = static_cast<std::size_t>(cut.high - cut.low) + 1;
        if (range * cells_of_code_ <= 2 * static_cast<std::size_t>(n) + 64)
            by_table(cut, data, n, static_cast<std::uint32_t>(range));
        else
            by_sorting(cut, data, n, range);
        if (best_.at < 0) return;
        cut.is_found = true;
        cut.gain = (best_.score - side_.base()) * side_.to_gain();
    }

    // The gain of a cut that was drawn.
    void score_drawn(ColumnCut<Cell>& cut, const Cell* cells, const Row* data, std::int32_t n) {
        side_.start(node_);
        const std::int32_t rows = side_.add_below(cells, data, n, cut.low);
        best_ = Cut{side_.base(), -1, 0};
        count_ = 0;
        if (rows < limits_.rows || n - rows < limits_.rows || !fits_weight()) return;
        side_.write(scratch_, 0);
        scratch_.at[0] = rows;
        count_ = 1;
        judge();
        cut.is_found = best_.at >= 0;
        cut.gain = (best_.score - side_.base()) * side_.to_gain();
    }

  private:
    bool fits_weight() const {
        return side_.weight() >= limits_.weight && node_.weight - side_.weight() >= limits_.weight;
    }

    void offer(std::int32_t at) {
        side_.write(scratch_, count_);
        scratch_.at[count_] = at;
        count_ += fits_weight();
        if (count_ == CutScratch::BATCH) judge();
    }

    void judge() {
        Cut of_batch{best_.score, -1, 0};
        side_.finish(scratch_, count_, bar_, of_batch);
        if (of_batch.at >= 0) best_.score = of_batch.score, best_.at = scratch_.at[of_batch.at];
        count_ = 0;
    }

    void by_table(ColumnCut<Cell>& cut, const Row* data, std::int32_t n, std::uint32_t range) {
        const Cell* cells = cells_;
        const Cell low = cut.low;
        side_.make_room(range);
        for (std::int32_t i = 0; i < n; ++i) side_.gather(static_cast<std::uint32_t>(cells[i] - low), data[i]);
        const bool counts_rows = limits_.rows > 1;
        if (counts_rows) {
            if (rows_.size() < range) rows_.resize(range, 0);
            for (std::int32_t i = 0; i < n; ++i) ++rows_[static_cast<std::uint32_t>(cells[i] - low)];
        }
        std::int32_t rows = 0;
        for (std::uint32_t code = 0; code + 1 < range; ++code) {
            if (!side_.take(code)) continue;
            if (counts_rows) {
                rows += std::exchange(rows_[code], 0);
                if (rows < limits_.rows || n - rows < limits_.rows) continue;
            }
            offer(static_cast<std::int32_t>(code));
        }
        side_.take(range - 1);
        if (counts_rows) rows_[range - 1] = 0;
        judge();
        if (best_.at < 0) return;
        const auto below = static_cast<Cell>(low + best_.at);
        Cell above = cut.high;
        for (std::int32_t i = 0; i < n; ++i)
            if (cells[i] > below) above = std::min(above, cells[i]);
        cut.low = below;
        cut.high = above;
    }

    void by_sorting(ColumnCut<Cell>& cut, const Row* data, std::int32_t n, std::size_t range) {
        const int places = bits_of(static_cast<std::uint64_t>(n - 1)), bits = bits_of(range - 1);
        if (places + bits <= 31) {
            fill_keys(narrow_, cut.low, n, places);
            std::int32_t* sorted = spare_narrow_.data();
            if (n <= FEW_KEYS)
                sort_few(narrow_.data(), n, sorted);
            else
                sorted = sort_many(narrow_.data(), spare_narrow_.data(), n, places, bits);
            walk(cut, sorted, data, n, places);
        } else {
            fill_keys(wide_, cut.low, n, places);
            walk(cut, sort_many(wide_.data(), spare_wide_.data(), n, places, bits), data, n, places);
        }
    }

    template <class Key>
    void fill_keys(std::vector<Key>& keys, Cell low, std::int32_t n, int places) {
        const std::size_t room = static_cast<std::size_t>(n) + 16;
        if (keys.size() < room) keys.resize(room);
        auto& spare = spare_of(keys);
        if (spare.size() < room) spare.resize(room);
        const Cell* cells = cells_;
        for (std::int32_t i = 0; i < n; ++i) keys[i] = (static_cast<Key>(cells[i] - low) << places) | i;
    }
    std::vector<std::int32_t>& spare_of(std::vector<std::int32_t>&) { return spare_narrow_; }
    std::vector<std::int64_t>& spare_of(std::vector<std::int64_t>&) { return spare_wide_; }

    // Along the sorted keys; a cut lies between two different codes.
    template <class Key>
    void walk(ColumnCut<Cell>& cut, const Key* keys, const Row* data, std::int32_t n, int places) {
        const Key mask = (Key{1} << places) - 1;
        const std::int32_t least = limits_.rows;
        std::int32_t i = 0;
        for (; i < least - 1; ++i) side_.add(data[keys[i] & mask]);
        const Key apart = Key{1} << places;
        for (; i < n - least; ++i) {
            side_.add(data[keys[i] & mask]);
            side_.write(scratch_, count_);
            scratch_.at[count_] = i + 1;
            count_ += (((keys[i] ^ keys[i + 1]) >= apart) & fits_weight());
            if (count_ == CutScratch::BATCH) judge();
        }
        judge();
        if (best_.at < 0) return;
        const Cell low = cut.low;
        cut.low = static_cast<Cell>(low + static_cast<Cell>(keys[best_.at - 1] >> places));
        cut.high = static_cast<Cell>(low + static_cast<Cell>(keys[best_.at] >> places));
    }

    CutLimits limits_;
    Side side_;
    std::size_t cells_of_code_;
    NodeSums node_;
    double bar_ = 0.0;
    Cut best_;
    std::int32_t count_ = 0;
    CutScratch scratch_;
    const Cell* cells_ = nullptr;
    std::vector<std::uint32_t> rows_;
    std::vector<std::int32_t> narrow_, spare_narrow_;
    std::vector<std::int64_t> wide_, spare_wide_;
};

}  // namespace hornbeam
