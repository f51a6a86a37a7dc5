// ColumnScan: finds the best cut of one column at one node, from the cells and the targets of the rows.
//
//     few codes between the lowest and the highest   rows are summed by code, in a table that stays in the cache
//     otherwise                                      packed keys are sorted
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "ensembles/cut_scorer.hpp"
#include "ensembles/sorting.hpp"

namespace hornbeam {

// A column that varies at a node, with its lowest and highest cell. Once its cut is found, `low` is the highest cell
// below the cut and `high` the lowest cell above it.
template <class Cell>
struct ColumnCut {
    std::int32_t column = -1;
    std::int32_t slot = -1;  // of the buffer with its cells, if they are stored
    Cell low{}, high{};
    bool is_found = false;
    double score = 0.0;
};

// The sums of the rows of a node per code of a column, one class per kind of target (sides.hpp). Rows are added to
// their codes; then the codes are flushed in order to a side. All sums are 0 between uses.
template <class Side>
class CodeSums {
  public:
    explicit CodeSums(int) {}
    std::size_t per_code() const { return Side::n_sums(0); }
    void reserve(std::size_t n) {
        if (table_.size() < n) table_.resize(n);
    }
    void add(std::uint32_t code, typename Side::Row row) { Side::add_to(table_[code], row); }
    // Adds the sums of a code to a side and clears them; returns whether the code has rows.
    bool flush(std::uint32_t code, Side& side) {
        const typename Side::Sums sums = std::exchange(table_[code], {});
        side.add(sums);
        return Side::has_rows(sums);
    }

  private:
    std::vector<typename Side::Sums> table_;
};

template <>
class CodeSums<ManyClasses> {
  public:
    explicit CodeSums(int n_classes) : n_classes_(static_cast<std::size_t>(n_classes)) {}
    std::size_t per_code() const { return n_classes_; }
    void reserve(std::size_t n) {
        if (table_.size() < n * n_classes_) table_.resize(n * n_classes_, 0);
    }
    void add(std::uint32_t code, ClassRow row) { table_[code * n_classes_ + row.k] += row.weight; }
    bool flush(std::uint32_t code, ManyClasses& side) {
        std::int32_t* counts = table_.data() + code * n_classes_;
        bool has_rows = false;
        for (std::size_t k = 0; k < n_classes_; ++k) {
            if (counts[k] == 0) continue;
            side.add({static_cast<std::int32_t>(k), std::exchange(counts[k], 0)});
            has_rows = true;
        }
        return has_rows;
    }

  private:
    std::size_t n_classes_;
    std::vector<std::int32_t> table_;
};

template <class Side, class Cell>
class ColumnScan {
  public:
    using Row = typename Side::Row;

    ColumnScan(CutScorer<Side>& scorer, int n_classes) : scorer_(scorer), side_(scorer.side()), codes_(n_classes) {}

    // Finds the best cut of a column whose lowest and highest cell are known.
    void score(ColumnCut<Cell>& cut, const Cell* cells) {
        const std::int32_t n = scorer_.node().n;
        const Row* data = scorer_.node().data;
        cells_ = cells;
        if (n < 2 * scorer_.limits().rows) return;
        side_.restart();
        best_ = Cut{scorer_.first_score(), -1, 0};
        count_ = 0;
        const std::size_t range = static_cast<std::size_t>(cut.high - cut.low) + 1;
        if (range * codes_.per_code() <= 2 * static_cast<std::size_t>(n) + 64)
            scan_table(cut, data, n, static_cast<std::uint32_t>(range));
        else
            scan_sorted(cut, data, n, range);
        if (best_.at < 0) return;
        cut.is_found = true;
        cut.score = best_.score;
    }

  private:
    void add_candidate(std::int32_t at) {
        side_.write(scratch_, count_);
        scratch_.at[count_] = at;
        count_ += scorer_.fits_weight(side_.weight());
        if (count_ == CutScratch::BATCH) score_batch();
    }

    void score_batch() {
        Cut best_of_batch{best_.score, -1, 0};
        side_.finish(scratch_, count_, scorer_.score_tolerance(), best_of_batch);
        if (best_of_batch.at >= 0) best_.score = best_of_batch.score, best_.at = scratch_.at[best_of_batch.at];
        count_ = 0;
    }

    void scan_table(ColumnCut<Cell>& cut, const Row* data, std::int32_t n, std::uint32_t range) {
        const Cell* cells = cells_;
        const Cell low = cut.low;
        codes_.reserve(range);
        for (std::int32_t i = 0; i < n; ++i) codes_.add(static_cast<std::uint32_t>(cells[i] - low), data[i]);
        const bool counts_rows = scorer_.limits().rows > 1;
        if (counts_rows) {
            if (rows_.size() < range) rows_.resize(range, 0);
            for (std::int32_t i = 0; i < n; ++i) ++rows_[static_cast<std::uint32_t>(cells[i] - low)];
        }
        std::int32_t rows = 0;
        for (std::uint32_t code = 0; code + 1 < range; ++code) {
            if (!codes_.flush(code, side_)) continue;
            if (counts_rows) {
                rows += std::exchange(rows_[code], 0);
                if (!scorer_.fits_rows(rows)) continue;
            }
            add_candidate(static_cast<std::int32_t>(code));
        }
        codes_.flush(range - 1, side_);
        if (counts_rows) rows_[range - 1] = 0;
        score_batch();
        if (best_.at < 0) return;
        const auto below = static_cast<Cell>(low + best_.at);
        Cell above = cut.high;
        for (std::int32_t i = 0; i < n; ++i)
            if (cells[i] > below) above = std::min(above, cells[i]);
        cut.low = below;
        cut.high = above;
    }

    void scan_sorted(ColumnCut<Cell>& cut, const Row* data, std::int32_t n, std::size_t range) {
        const int index_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))),
                  bits = static_cast<int>(std::bit_width(range - 1));
        if (index_bits + bits <= 31) {
            fill_keys(narrow_, cut.low, n, index_bits);
            std::int32_t* sorted = spare_narrow_.data();
            if (n <= SMALL_SORT_KEYS)
                sort_small(narrow_.data(), n, sorted);
            else
                sorted = radix_sort(narrow_.data(), spare_narrow_.data(), n, index_bits, bits);
            scan_keys(cut, sorted, data, n, index_bits);
        } else {
            fill_keys(wide_, cut.low, n, index_bits);
            scan_keys(cut, radix_sort(wide_.data(), spare_wide_.data(), n, index_bits, bits), data, n, index_bits);
        }
    }

    template <class Key>
    void fill_keys(std::vector<Key>& keys, Cell low, std::int32_t n, int index_bits) {
        const std::size_t capacity = static_cast<std::size_t>(n) + 16;
        if (keys.size() < capacity) keys.resize(capacity);
        auto& spare = spare_of(keys);
        if (spare.size() < capacity) spare.resize(capacity);
        const Cell* cells = cells_;
        for (std::int32_t i = 0; i < n; ++i) keys[i] = (static_cast<Key>(cells[i] - low) << index_bits) | i;
    }
    std::vector<std::int32_t>& spare_of(std::vector<std::int32_t>&) { return spare_narrow_; }
    std::vector<std::int64_t>& spare_of(std::vector<std::int64_t>&) { return spare_wide_; }

    // Scans the sorted keys; a cut is between two different codes.
    template <class Key>
    void scan_keys(ColumnCut<Cell>& cut, const Key* keys, const Row* data, std::int32_t n, int index_bits) {
        const Key mask = (Key{1} << index_bits) - 1;
        const std::int32_t min_rows = scorer_.limits().rows;
        std::int32_t i = 0;
        for (; i < min_rows - 1; ++i) side_.add(data[keys[i] & mask]);
        const Key one_code = Key{1} << index_bits;
        for (; i < n - min_rows; ++i) {
            side_.add(data[keys[i] & mask]);
            side_.write(scratch_, count_);
            scratch_.at[count_] = i + 1;
            count_ += (((keys[i] ^ keys[i + 1]) >= one_code) & scorer_.fits_weight(side_.weight()));
            if (count_ == CutScratch::BATCH) score_batch();
        }
        score_batch();
        if (best_.at < 0) return;
        const Cell low = cut.low;
        cut.low = static_cast<Cell>(low + static_cast<Cell>(keys[best_.at - 1] >> index_bits));
        cut.high = static_cast<Cell>(low + static_cast<Cell>(keys[best_.at] >> index_bits));
    }

    CutScorer<Side>& scorer_;
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
