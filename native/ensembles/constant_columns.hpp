// ConstantColumns: the columns known not to vary at a node, and so at no node below it. Sets of columns are bits; a
// node shares the set of its parent until it knows more. For trees that grow depth first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hornbeam {

class ConstantColumns {
  public:
    explicit ConstantColumns(std::int32_t n_columns) : n_words_((n_columns + 63) / 64) {}

    void start_tree() { sets_.assign(n_words_, 0); }
    // Continues with the set at a place: what was learnt since below other nodes is of no use here.
    void enter(std::size_t place) {
        place_ = place;
        sets_.resize(place_ + n_words_);
        is_own_ = false;
    }
    std::size_t place() const { return place_; }

    bool has(std::int32_t column) const { return sets_[place_ + column / 64] >> (column % 64) & 1; }
    std::uint64_t word(std::int32_t at) const { return sets_[place_ + at]; }
    void add(std::int32_t column) {
        if (!is_own_) {
            const std::size_t from = std::exchange(place_, sets_.size());
            sets_.resize(place_ + n_words_);
            std::copy_n(sets_.data() + from, n_words_, sets_.data() + place_);
            is_own_ = true;
        }
        sets_[place_ + column / 64] |= std::uint64_t{1} << (column % 64);
    }

  private:
    std::size_t n_words_;
    std::vector<std::uint64_t> sets_;
    std::size_t place_ = 0;  // where the node's set begins
    bool is_own_ = false;    // whether that set is the node's alone
};

}  // namespace hornbeam
