// GradientHistograms: sums of gradients per bin for the nodes of a tree, in memory that is reused. A task is a group of
// columns of the table; the tasks of a histogram are independent of each other.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "binned/histogram.hpp"

namespace hornbeam {

class GradientHistograms {
  public:
    explicit GradientHistograms(const BinnedTable& table);

    // Starts a tree: the gradients of every row, and 1 for every column that is searched.
    void start_tree(const Pair* pairs, const std::vector<std::uint8_t>& columns);
    // The tasks with columns of the tree, and the columns of a task.
    const std::vector<std::int64_t>& tasks() const { return tasks_; }
    const std::vector<std::int32_t>& columns_of(std::int64_t task) const { return table_.groups[task]; }

    // The index of a histogram, which is not cleared; -1: none.
    std::int32_t acquire();
    void release(std::int32_t histogram);
    const std::int64_t* cells(std::int32_t histogram, std::int32_t column) const {
        return pool_[histogram].get() + plan_.start[column];
    }

    // For one task of a histogram: sets the sums of rows; subtracts rows; adds, or subtracts, another histogram.
    void fill(std::int32_t histogram, std::int64_t task, std::span<const std::uint32_t> rows);
    void remove(std::int32_t histogram, std::int64_t task, std::span<const std::uint32_t> rows);
    void add_histogram(std::int32_t histogram, std::int64_t task, std::int32_t other);
    void subtract(std::int32_t histogram, std::int64_t task, std::int32_t other);

  private:
    std::size_t n_cells(std::int32_t column) const { return 2 * (table_.columns[column].n_bins + std::size_t{1}); }

    const BinnedTable& table_;
    CellPlan plan_;
    CellSource source_;

    std::vector<std::int64_t> tasks_;
    std::vector<std::unique_ptr<std::int64_t[]>> pool_;
    std::vector<std::int32_t> free_;
};

}  // namespace hornbeam
