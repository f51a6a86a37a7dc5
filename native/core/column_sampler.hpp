// Columns sampled without replacement at a node or for a tree, one after another. The stream is the caller's, so that
// its state can stay in registers.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/random.hpp"

namespace hornbeam {

class ColumnSampler {
  public:
    explicit ColumnSampler(std::int64_t n_columns) : pool_(n_columns), swapped_(n_columns) {
        std::iota(pool_.begin(), pool_.end(), 0);
    }
    // All columns are in the pool again, in order: only what was sampled is put back.
    void start() {
        for (std::size_t i = n_; i-- > 0;) {
            const auto place = static_cast<std::int32_t>(i);
            pool_[i] = place, pool_[swapped_[i]] = swapped_[i];
        }
        n_ = 0;
    }
    std::size_t count() const { return n_; }  // sampled so far
    bool has_next() const { return n_ < pool_.size(); }
    std::int32_t next(Stream& stream) {
        const std::size_t place = n_ + static_cast<std::size_t>(stream.below(pool_.size() - n_));
        const std::int32_t column = pool_[place];
        pool_[place] = pool_[n_];
        swapped_[n_++] = static_cast<std::int32_t>(place);
        return column;
    }

  private:
    std::vector<std::int32_t> pool_, swapped_;
    std::size_t n_ = 0;
};

// Samples `wanted` columns, and more until one of them varies: `varies(column)` is called for each.
template <class Varies>
void sample_columns(std::int64_t n_columns, std::int64_t wanted, Stream& stream, const Varies& varies) {
    ColumnSampler sampler(n_columns);
    bool has_one = false;
    while (sampler.has_next() && (static_cast<std::int64_t>(sampler.count()) < wanted || !has_one))
        has_one |= varies(sampler.next(stream));
}

template <class Varies>
void sample_columns(std::int64_t n_columns, std::int64_t wanted, std::uint64_t key, const Varies& varies) {
    Stream stream(key);
    sample_columns(n_columns, wanted, stream, varies);
}

}  // namespace hornbeam
