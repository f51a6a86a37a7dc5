// CellSums: the integers of one cell of a statistic; few are stored in the object itself, without allocation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace hornbeam {

class CellSums {
  public:
    CellSums() = default;
    CellSums(std::initializer_list<std::int64_t> sums) { assign(sums.begin(), sums.end()); }
    CellSums(const std::vector<std::int64_t>& sums) { assign(sums.data(), sums.data() + sums.size()); }
    operator std::vector<std::int64_t>() const { return {begin(), end()}; }
    operator std::span<const std::int64_t>() const { return {data(), size()}; }

    void assign(std::size_t n, std::int64_t value) {
        n_ = n;
        if (n > FEW) return many_.assign(n, value);
        std::fill_n(few_, FEW, value);
    }
    void assign(const std::int64_t* from, const std::int64_t* to) {
        assign(static_cast<std::size_t>(to - from), 0);
        std::copy(from, to, data());
    }

    std::size_t size() const { return n_; }
    std::int64_t* data() { return n_ > FEW ? many_.data() : few_; }
    const std::int64_t* data() const { return n_ > FEW ? many_.data() : few_; }
    std::int64_t& operator[](std::size_t k) { return data()[k]; }
    std::int64_t operator[](std::size_t k) const { return data()[k]; }
    std::int64_t* begin() { return data(); }
    std::int64_t* end() { return data() + n_; }
    const std::int64_t* begin() const { return data(); }
    const std::int64_t* end() const { return data() + n_; }

    // Reads or writes the sums as a vector.
    template <class Archive>
    friend void visit_state(Archive& archive, CellSums& sums) {
        std::vector<std::int64_t> values = sums;
        archive(values);
        sums = values;
    }

  private:
    static constexpr std::size_t FEW = 3;  // numbers, two and three classes
    std::size_t n_ = 0;
    std::int64_t few_[FEW] = {};
    std::vector<std::int64_t> many_;
};

}  // namespace hornbeam
