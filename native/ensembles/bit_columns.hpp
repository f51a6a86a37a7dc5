// Which columns of two values vary at a node?  They come as one word a row: one pass tells of all of them, and those
// that are asked about get a lane each, in which what lies below their one cut is added up (lanes.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"

namespace hornbeam {

template <class Cell>
class BitColumns {
  public:
    BitColumns(const Grid& grid, const Cells<Cell>& cells)
        : grid_(grid), by_row_(cells.by_row.data()), shifts_(64 + LANES, 0) {}

    // Begins with a node; its rows must stay where they are until it is split.
    void enter(const std::uint32_t* rows, std::int32_t n) {
        rows_ = rows;
        n_ = n;
        has_words_ = false;
        asked_ = 0;
    }

    // Whether a column has both values here.
    bool varies(std::int32_t column) {
        if (!has_words_) read_words();
        return varying_ >> grid_.bit[column] & 1;
    }

    // Gives a column that varies the next lane.
    int ask(std::int32_t column) {
        shifts_[asked_] = grid_.bit[column];
        return asked_++;
    }
    bool any_asked() const { return asked_ > 0; }
    BitChunks chunks() const { return {words_.data(), shifts_.data(), (asked_ + LANES - 1) / LANES}; }
    bool is_right(std::int32_t i, std::int32_t column) const { return words_[i] >> grid_.bit[column] & 1; }
    // A word a row of the node, where some column was asked about.
    const std::uint64_t* words() const { return words_.data(); }

  private:
    void read_words() {
        has_words_ = true;
        if (words_.size() < static_cast<std::size_t>(n_)) words_.resize(n_);
        // The words of dense rows lie closer together than their cells.
        if (grid_.word < 0 || n_ > grid_.n_rows / 8)
            take_words([bits = grid_.bits.data()](std::uint32_t row) { return bits[row]; });
        else
            take_words([this](std::uint32_t row) { return grid_.word_of(by_row_, row); });
    }
    template <class WordOf>
    void take_words(const WordOf& word_of) {
        std::uint64_t any = 0, all = ~std::uint64_t{0};
        for (std::int32_t i = 0; i < n_; ++i) {
            const std::uint64_t word = words_[i] = word_of(rows_[i]);
            any |= word;
            all &= word;
        }
        varying_ = any & ~all;
    }

    const Grid& grid_;
    const Cell* by_row_;
    const std::uint32_t* rows_ = nullptr;
    std::int32_t n_ = 0;
    bool has_words_ = false;
    std::uint64_t varying_ = 0;
    std::vector<std::uint64_t> words_;
    std::vector<std::int64_t> shifts_;
    int asked_ = 0;
};

}  // namespace hornbeam
