// CandidateColumns: the columns that are searched at a node: all of them, or a random sample. If no sampled column
// varies, further columns are sampled one at a time until one does.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/column_sampler.hpp"
#include "core/random.hpp"

namespace hornbeam {

// The columns known to be constant at a node, and therefore at all nodes below it. Sets of columns are bit sets. A node
// shares the set of its parent until another constant column is found. Requires depth-first growth.
class ConstantColumns {
  public:
    explicit ConstantColumns(std::int32_t n_columns) : n_words_((n_columns + 63) / 64) {}

    void start_tree() { sets_.assign(n_words_, 0); }
    // Starts a node with the set at an offset; drops the sets that were added after it, for nodes that are finished.
    void start_node(std::size_t offset) {
        offset_ = offset;
        sets_.resize(offset_ + n_words_);
        is_own_ = false;
    }
    std::size_t offset() const { return offset_; }

    bool has(std::int32_t column) const { return sets_[offset_ + column / 64] >> (column % 64) & 1; }
    std::uint64_t word(std::int32_t i) const { return sets_[offset_ + i]; }
    void add(std::int32_t column) {
        if (!is_own_) {
            const std::size_t from = std::exchange(offset_, sets_.size());
            sets_.resize(offset_ + n_words_);
            std::copy_n(sets_.data() + from, n_words_, sets_.data() + offset_);
            is_own_ = true;
        }
        sets_[offset_ + column / 64] |= std::uint64_t{1} << (column % 64);
    }

  private:
    std::size_t n_words_;
    std::vector<std::uint64_t> sets_;
    std::size_t offset_ = 0;  // of the set of the node
    bool is_own_ = false;     // whether no other node shares that set
};

class CandidateColumns {
  public:
    // `n_sampled` <= 0: all columns.
    CandidateColumns(std::int32_t n_columns, std::int64_t n_sampled)
        : n_sampled_(n_sampled > 0 ? static_cast<std::int32_t>(n_sampled) : n_columns),
          all_((n_columns + 63) / 64),
          pending_(all_.size()),
          sampler_(n_columns),
          columns_(n_columns) {
        for (std::int32_t c = 0; c < n_columns; ++c) all_[c / 64] |= std::uint64_t{1} << (c % 64);
    }

    // Calls search(columns, n) with the candidate columns, in ascending order, that are not known to be constant; then
    // with one more column at a time while has_found() is false.
    template <class Search, class HasFound>
    void for_each(std::uint64_t key, const ConstantColumns& constant, const Search& search, const HasFound& has_found) {
        if (n_sampled_ >= static_cast<std::int32_t>(columns_.size())) {
            pending_ = all_;
            return search_pending(constant, search);
        }
        sampler_.start();
        Stream stream(key);
        for (std::int32_t i = 0; i < n_sampled_; ++i) {
            const std::int32_t column = sampler_.next(stream);
            pending_[column / 64] |= std::uint64_t{1} << (column % 64);
        }
        search_pending(constant, search);
        while (sampler_.has_next() && !has_found()) {
            const std::int32_t column = sampler_.next(stream);
            if (!constant.has(column)) search(&column, 1);
        }
    }

  private:
    template <class Search>
    void search_pending(const ConstantColumns& constant, const Search& search) {
        std::int32_t n = 0;
        const auto n_words = static_cast<std::int32_t>(pending_.size());
        for (std::int32_t word = 0; word < n_words; ++word)
            for (std::uint64_t bits = std::exchange(pending_[word], 0) & ~constant.word(word); bits; bits &= bits - 1)
                columns_[n++] = 64 * word + std::countr_zero(bits);
        search(columns_.data(), n);
    }

    std::int32_t n_sampled_;
    std::vector<std::uint64_t> all_, pending_;  // bit sets of columns
    ColumnSampler sampler_;
    std::vector<std::int32_t> columns_;
};

}  // namespace hornbeam
