// BinaryColumns: the columns with two values at a node. Each row has one word with a bit per column, so one pass over
// the words finds all columns that vary. Each candidate column gets a lane for the sums below its only cut (lanes.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "ensembles/grid.hpp"
#include "ensembles/lanes.hpp"

namespace hornbeam {

template <class Cell>
class BinaryColumns {
  public:
    BinaryColumns(const Grid& grid, const Cells<Cell>& cells)
        : grid_(grid), by_row_(cells.by_row.data()), shifts_(64 + LANES, 0) {}

    // Starts a node; `rows` must stay valid until the node is split.
    void start_node(const std::uint32_t* rows, std::int32_t n) {
        rows_ = rows;
        n_ = n;
        has_words_ = false;
        n_lanes_ = 0;
    }

    // Whether a column has both values at the node.
    bool varies(std::int32_t column) {
        if (!has_words_) read_words();
        return varying_ >> grid_.bit[column] & 1;
    }

    // Assigns the next lane to a column that varies.
    int add_lane(std::int32_t column) {
        shifts_[n_lanes_] = grid_.bit[column];
        return n_lanes_++;
    }
    bool has_lanes() const { return n_lanes_ > 0; }
    BitChunks chunks() const { return {words_.data(), shifts_.data(), (n_lanes_ + LANES - 1) / LANES}; }
    bool is_right(std::int32_t i, std::int32_t column) const { return words_[i] >> grid_.bit[column] & 1; }
    // One word per row of the node; valid if a column was tested or has a lane.
    const std::uint64_t* words() const { return words_.data(); }

  private:
    void read_words() {
        has_words_ = true;
        if (words_.size() < static_cast<std::size_t>(n_)) words_.resize(n_);
        // For dense rows, the array of words needs fewer cache lines than the table by row.
        if (grid_.word < 0 || n_ > grid_.n_rows / 8)
            read_words_with([bits = grid_.bits.data()](std::uint32_t row) { return bits[row]; });
        else
            read_words_with([this](std::uint32_t row) { return grid_.word_of(by_row_, row); });
    }
    template <class WordOf>
    void read_words_with(const WordOf& word_of) {
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
    int n_lanes_ = 0;
};

}  // namespace hornbeam
