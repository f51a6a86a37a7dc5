// Where is the best cut of one column at one node?  The column's cells at the node come in the order of its rows, with
// the rows' targets beside them.
//
//     few codes between the lowest and the highest   rows are added up by code (a table that stays in the cache)
//     else                                           packed keys are sorted
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ensembles/best_of_node.hpp"
#include "ensembles/code_sums.hpp"
#include "ensembles/sorting.hpp"

namespace hornbeam {

// A column that varies at a node, between two cells; then its cut: `low` becomes the highest cell below it, `high` the
// lowest above.
template <class Cell>
struct ColumnCut {
    std::int32_t column = -1;
    std::int32_t slot = -1;  // where its cells are, if they are kept
    Cell low{}, high{};
    bool is_found = false;
    double score = 0.0;
};

template <class Side, class Cell>
class ColumnScan {
  public:
    using Row = typename Side::Row;

    ColumnScan(BestOfNode<Side>& judge, int n_classes) : judge_(judge), side_(judge.side()), codes_(n_classes) {}

    // The best cut of a column's cells, the lowest and highest of which are known.
    void score(ColumnCut<Cell>& cut, const Cell* cells) {
        const std::int32_t n = judge_.node().n;
        const Row* data = judge_.node().data;
        cells_ = cells;
        if (n < 2 * judge_.limits().rows) return;
        side_.restart();
        best_ = Cut{judge_.start(), -1, 0};
        count_ = 0;
        const std::size_t range = static_cast<std::size_t>(cut.high - cut.low) + 1;
        if (range * codes_.per_code() <= 2 * static_cast<std::size_t>(n) + 64)
            by_table(cut, data, n, static_cast<std::uint32_t>(range));
        else
            by_sorting(cut, data, n, range);
        if (best_.at < 0) return;
        cut.is_found = true;
        cut.score = best_.score;
    }

  private:
    void offer(std::int32_t at) {
        side_.write(scratch_, count_);
        scratch_.at[count_] = at;
        count_ += judge_.fits_weight(side_.weight());
        if (count_ == CutScratch::BATCH) judge();
    }

    void judge() {
        Cut of_batch{best_.score, -1, 0};
        side_.finish(scratch_, count_, judge_.score_bar(), of_batch);
        if (of_batch.at >= 0) best_.score = of_batch.score, best_.at = scratch_.at[of_batch.at];
        count_ = 0;
    }

    void by_table(ColumnCut<Cell>& cut, const Row* data, std::int32_t n, std::uint32_t range) {
        const Cell* cells = cells_;
        const Cell low = cut.low;
        codes_.make_room(range);
        for (std::int32_t i = 0; i < n; ++i) codes_.add(static_cast<std::uint32_t>(cells[i] - low), data[i]);
        const bool counts_rows = judge_.limits().rows > 1;
        if (counts_rows) {
            if (rows_.size() < range) rows_.resize(range, 0);
            for (std::int32_t i = 0; i < n; ++i) ++rows_[static_cast<std::uint32_t>(cells[i] - low)];
        }
        std::int32_t rows = 0;
        for (std::uint32_t code = 0; code + 1 < range; ++code) {
            if (!codes_.take(code, side_)) continue;
            if (counts_rows) {
                rows += std::exchange(rows_[code], 0);
                if (!judge_.fits_rows(rows)) continue;
            }
            offer(static_cast<std::int32_t>(code));
        }
        codes_.take(range - 1, side_);
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
        const std::int32_t least = judge_.limits().rows;
        std::int32_t i = 0;
        for (; i < least - 1; ++i) side_.add(data[keys[i] & mask]);
        const Key apart = Key{1} << places;
        for (; i < n - least; ++i) {
            side_.add(data[keys[i] & mask]);
            side_.write(scratch_, count_);
            scratch_.at[count_] = i + 1;
            count_ += (((keys[i] ^ keys[i + 1]) >= apart) & judge_.fits_weight(side_.weight()));
            if (count_ == CutScratch::BATCH) judge();
        }
        judge();
        if (best_.at < 0) return;
        const Cell low = cut.low;
        cut.low = static_cast<Cell>(low + static_cast<Cell>(keys[best_.at - 1] >> places));
        cut.high = static_cast<Cell>(low + static_cast<Cell>(keys[best_.at] >> places));
    }

    BestOfNode<Side>& judge_;
    Side& side_;
    CodeSums<Side> codes_;
    Cut best_;
    std::int32_t count_ = 0;
    CutScratch scratch_;
    const Cell* cells_ = nullptr;
    std::vector<std::uint32_t> rows_;
    std::vector<std::int32_t> narrow_, spare_narrow_;
    std::vector<std::int64_t> wide_, spare_wide_;
};

}  // namespace hornbeam
