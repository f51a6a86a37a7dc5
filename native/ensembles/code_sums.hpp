// CodeSums: the sums of the rows of a node per code of a column, one class per kind of target (sides.hpp). Rows are
// added to their codes; then the codes are flushed in order to a side. All sums are 0 between uses.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ensembles/sides.hpp"

namespace hornbeam {

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

}  // namespace hornbeam
