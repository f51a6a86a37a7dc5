// AskedColumns: which columns are searched at a node: all, or as many as wanted, and more until one of them varies.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/column_sampler.hpp"
#include "core/random.hpp"
#include "ensembles/constant_columns.hpp"

namespace hornbeam {

class AskedColumns {
  public:
    // At most 0 wanted: all.
    AskedColumns(std::int32_t n_columns, std::int64_t wanted)
        : wanted_(wanted > 0 ? static_cast<std::int32_t>(wanted) : n_columns),
          all_((n_columns + 63) / 64),
          asked_(all_.size()),
          sampler_(n_columns),
          columns_(n_columns) {
        for (std::int32_t c = 0; c < n_columns; ++c) all_[c / 64] |= std::uint64_t{1} << (c % 64);
    }

    // Calls look_at(columns, n) with columns in ascending order that are not known to be constant; with single ones
    // after that while has_found() is false.
    template <class LookAt, class HasFound>
    void each(std::uint64_t key, const ConstantColumns& constant, const LookAt& look_at, const HasFound& has_found) {
        if (wanted_ >= static_cast<std::int32_t>(columns_.size())) {
            asked_ = all_;
            return look_at_asked(constant, look_at);
        }
        sampler_.start();
        Stream stream(key);
        for (std::int32_t i = 0; i < wanted_; ++i) {
            const std::int32_t column = sampler_.next(stream);
            asked_[column / 64] |= std::uint64_t{1} << (column % 64);
        }
        look_at_asked(constant, look_at);
        while (sampler_.has_next() && !has_found()) {
            const std::int32_t column = sampler_.next(stream);
            if (!constant.has(column)) look_at(&column, 1);
        }
    }

  private:
    template <class LookAt>
    void look_at_asked(const ConstantColumns& constant, const LookAt& look_at) {
        std::int32_t n = 0;
        const auto n_words = static_cast<std::int32_t>(asked_.size());
        for (std::int32_t word = 0; word < n_words; ++word)
            for (std::uint64_t left = std::exchange(asked_[word], 0) & ~constant.word(word); left; left &= left - 1)
                columns_[n++] = 64 * word + std::countr_zero(left);
        look_at(columns_.data(), n);
    }

    std::int32_t wanted_;
    std::vector<std::uint64_t> all_, asked_;  // columns as bits
    ColumnSampler sampler_;
    std::vector<std::int32_t> columns_;
};

}  // namespace hornbeam
