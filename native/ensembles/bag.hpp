// Bag: the sampled rows of a tree while it grows, with their targets. A node is a range of the row list. There are two
// lists: splitting a node writes its rows to the same range of the other list, and both branches keep the order of
// rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/data.hpp"
#include "core/partition.hpp"
#include "ensembles/tree_records.hpp"

namespace hornbeam {

// The rows of a node.
struct Range {
    std::int32_t begin = 0, end = 0;
    int list = 0;
    std::int32_t size() const { return end - begin; }
};

// If `ByClass`, rows are sorted by class, and no targets are stored if every row has weight 1.
template <class Side, bool ByClass>
class Bag {
  public:
    using Row = typename Side::Row;

    // Stores the sampled rows; `times[row]` is the multiplicity of a row, and an empty `times` means every row once.
    // `order[i]` is the index of row i in the target; empty: i.
    Range fill(const Target& target, const std::vector<std::uint32_t>& order, std::int64_t n_rows,
               const std::vector<std::uint32_t>& times) {
        if (times.empty()) {
            if (all_rows_.empty()) {
                store(target, order, n_rows, [](std::int64_t) { return 1; });
                all_rows_ = rows_[0], all_data_ = data_[0], all_unit_weights_ = unit_weights_;
            } else {
                rows_[0] = all_rows_, data_[0] = all_data_, unit_weights_ = all_unit_weights_;
            }
        } else {
            store(target, order, n_rows, [&](std::int64_t row) { return times[row]; });
        }
        rows_[1].resize(rows_[0].size());
        data_[1].resize(data_[0].size());
        return {0, static_cast<std::int32_t>(rows_[0].size()), 0};
    }

    const std::uint32_t* rows(const Range& range) const { return rows_[range.list].data() + range.begin; }
    // The targets of these rows; null if rows are sorted by class and have no targets.
    const Row* data(const Range& range) const {
        return is_by_class() ? nullptr : data_[range.list].data() + range.begin;
    }
    bool is_by_class() const { return ByClass && unit_weights_; }
    // Whether every row has weight 1.
    bool unit_weights() const { return unit_weights_; }

    // Adds the exact sums of some rows to a node whose sums are 0.
    void sum_up(const Range& range, NodeRecord& node, std::int64_t* counts, int n_classes) const {
        const Row* data = this->data(range);
        if constexpr (Side::is_class) {
            if (is_by_class()) std::copy_n(counts_.begin(), n_classes, counts);  // of the root
            for (std::int32_t i = 0; !is_by_class() && i < range.size(); ++i) Side::count(data[i], counts);
            for (int k = 0; k < n_classes; ++k) node.weight += counts[k];
        } else {
            for (std::int32_t i = 0; i < range.size(); ++i) {
                node.weight += data[i].weight;
                node.sum += data[i].number * data[i].weight;
            }
        }
    }

    // Adds the weighted squared deviations from a mean; returns whether all targets are equal.
    bool add_squared_deviations(const Range& range, double mean, double& squares) const {
        const Row* data = this->data(range);
        std::int64_t differ = 0;
        for (std::int32_t i = 0; i < range.size(); ++i) {
            const double deviation = static_cast<double>(data[i].number) - mean;
            squares += static_cast<double>(data[i].weight) * deviation * deviation;
            differ |= data[i].number ^ data[0].number;
        }
        return differ == 0;
    }

    // The number of rows that go to the left branch.
    template <class GoesRight>
    std::int32_t count_left(const Range& range, const GoesRight& goes_right) const {
        const std::uint32_t* rows = this->rows(range);
        std::int32_t left = 0;
        for (std::int32_t i = 0; i < range.size(); ++i) left += !goes_right(i, rows[i]);
        return left;
    }

    // Partitions rows: the `left` rows of the left branch first. Calls goes_right(i, row) for every row in order.
    template <class GoesRight>
    void partition(const Range& range, std::int32_t left, const GoesRight& goes_right) {
        const std::uint32_t* rows = this->rows(range);
        std::uint32_t* to_rows = rows_[1 - range.list].data() + range.begin;
        if (is_by_class()) return partition_without_targets(rows, range.size(), left, goes_right, to_rows);
        const Row* data = this->data(range);
        Row* to_data = data_[1 - range.list].data() + range.begin;
        partition_places(
            range.size(), left, [&](std::int32_t i) { return goes_right(i, rows[i]); },
            [&](std::int32_t i, std::int32_t to) { to_rows[to] = rows[i], to_data[to] = data[i]; });
    }

  private:
    // The same for rows without targets.
    template <class GoesRight>
    void partition_without_targets(const std::uint32_t* rows, std::int32_t n, std::int32_t left,
                                   const GoesRight& goes_right, std::uint32_t* to) {
        const std::size_t capacity = static_cast<std::size_t>(n) + ROWS_AT_ONCE;
        if (is_right_.size() < capacity)
            is_right_.resize(capacity), partitioned_[0].resize(capacity), partitioned_[1].resize(capacity);
        std::uint8_t* __restrict is_right = is_right_.data();
        const GoesRight test = goes_right;  // a local copy: no write below can alias it
        for (std::int32_t i = 0; i < n; ++i) is_right[i] = static_cast<std::uint8_t>(test(i, rows[i]));
        // Writes past the rows of the left branch are overwritten by the rows of the right branch if these are enough.
        std::uint32_t *first = n - left >= ROWS_AT_ONCE ? to : partitioned_[0].data(), *second = partitioned_[1].data();
        partition_rows(rows, is_right, n, first, second);
        if (first != to) std::copy_n(first, left, to);
        std::copy_n(second, n - left, to + left);
    }

    template <class Times>
    void store(const Target& target, const std::vector<std::uint32_t>& order, std::int64_t n_rows, const Times& times) {
        rows_[0].clear();
        data_[0].clear();
        unit_weights_ = true;
        counts_.assign(target.n_classes, 0);
        for (std::int64_t i = 0; i < n_rows; ++i) {
            const std::int64_t row = order.empty() ? i : order[i];
            if (times(row) == 0) continue;
            const std::int64_t weight = times(row) * (target.weights.empty() ? 1 : target.weights[row]);
            unit_weights_ &= weight == 1;
            rows_[0].push_back(static_cast<std::uint32_t>(i));
            data_[0].push_back(
                Side::row(Side::is_class ? target.classes[row] : 0, weight, Side::is_class ? 0 : target.sums[row]));
            if constexpr (ByClass) ++counts_[target.classes[row]];
        }
        if (is_by_class()) data_[0].clear();
    }

    std::vector<std::uint32_t> rows_[2], all_rows_, partitioned_[2];
    std::vector<std::uint8_t> is_right_;
    std::vector<Row> data_[2], all_data_;
    std::vector<std::int64_t> counts_;
    bool unit_weights_ = true, all_unit_weights_ = true;
};

}  // namespace hornbeam
