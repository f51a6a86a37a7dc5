// Where are the rows of a tree while it grows?  In a list with their targets beside them; a node is a range of it.
// There are two lists: splitting a node writes its rows into the same range of the other one, both sides in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/data.hpp"
#include "core/partition.hpp"
#include "ensembles/lean_tree.hpp"

namespace hornbeam {

// The rows of a node.
struct Range {
    std::int32_t begin = 0, end = 0;
    int list = 0;
    std::int32_t size() const { return end - begin; }
};

// Where `ByClass`, rows come in the order of their classes; those that weigh one are without targets then.
template <class Side, bool ByClass>
class Bag {
  public:
    using Row = typename Side::Row;

    // The rows that count, as often as they are drawn; all of them once where `times` is empty.
    // `order[row]` is a row's place in the target; empty: its own.
    Range fill(const Target& target, const std::vector<std::uint32_t>& order, std::int64_t n_rows,
               const std::vector<std::uint32_t>& times) {
        if (times.empty()) {
            if (all_rows_.empty()) {
                put(target, order, n_rows, [](std::int64_t) { return 1; });
                all_rows_ = rows_[0], all_data_ = data_[0], all_weigh_one_ = weigh_one_;
            } else {
                rows_[0] = all_rows_, data_[0] = all_data_, weigh_one_ = all_weigh_one_;
            }
        } else {
            put(target, order, n_rows, [&](std::int64_t row) { return times[row]; });
        }
        rows_[1].resize(rows_[0].size());
        data_[1].resize(data_[0].size());
        return {0, static_cast<std::int32_t>(rows_[0].size()), 0};
    }

    const std::uint32_t* rows(const Range& at) const { return rows_[at.list].data() + at.begin; }
    // Their targets; none where they come in the order of their classes.
    const Row* data(const Range& at) const { return is_by_class() ? nullptr : data_[at.list].data() + at.begin; }
    bool is_by_class() const { return ByClass && weigh_one_; }
    // Whether every row weighs one.
    bool weigh_one() const { return weigh_one_; }

    // The exact sums over some rows, into a node that has none yet.
    void sum_up(const Range& at, LeanNode& node, std::int64_t* counts, int n_classes) const {
        const Row* data = this->data(at);
        if constexpr (Side::is_class) {
            if (is_by_class()) std::copy_n(counts_.begin(), n_classes, counts);  // of all rows
            for (std::int32_t i = 0; !is_by_class() && i < at.size(); ++i) Side::count(data[i], counts);
            for (int k = 0; k < n_classes; ++k) node.weight += counts[k];
        } else {
            for (std::int32_t i = 0; i < at.size(); ++i) {
                node.weight += data[i].weight;
                node.sum += data[i].number * data[i].weight;
            }
        }
    }

    // The weighted sum of squares about a mean; true when all numbers are one.
    bool spread(const Range& at, double mean, double& squares) const {
        const Row* data = this->data(at);
        std::int64_t differ = 0;
        for (std::int32_t i = 0; i < at.size(); ++i) {
            const double off = static_cast<double>(data[i].number) - mean;
            squares += static_cast<double>(data[i].weight) * off * off;
            differ |= data[i].number ^ data[0].number;
        }
        return differ == 0;
    }

    // How many rows go left.
    template <class GoesRight>
    std::int32_t count_left(const Range& at, const GoesRight& goes_right) const {
        const std::uint32_t* rows = this->rows(at);
        std::int32_t left = 0;
        for (std::int32_t i = 0; i < at.size(); ++i) left += !goes_right(i, rows[i]);
        return left;
    }

    // Rows of branch 0 first, of which there are `left`; `goes_right(i, row)` is asked of every row in order.
    template <class GoesRight>
    void part(const Range& at, std::int32_t left, const GoesRight& goes_right) {
        const std::uint32_t* rows = this->rows(at);
        std::uint32_t* to_rows = rows_[1 - at.list].data() + at.begin;
        if (is_by_class()) return part_alone(rows, at.size(), left, goes_right, to_rows);
        const Row* data = this->data(at);
        Row* to_data = data_[1 - at.list].data() + at.begin;
        partition_places(
            at.size(), left, [&](std::int32_t i) { return goes_right(i, rows[i]); },
            [&](std::int32_t i, std::int32_t to) { to_rows[to] = rows[i], to_data[to] = data[i]; });
    }

  private:
    // The same of rows without targets.
    template <class GoesRight>
    void part_alone(const std::uint32_t* rows, std::int32_t n, std::int32_t left, const GoesRight& goes_right,
                    std::uint32_t* to) {
        const std::size_t most = static_cast<std::size_t>(n) + ROWS_AT_ONCE;
        if (is_right_.size() < most) is_right_.resize(most), parted_[0].resize(most), parted_[1].resize(most);
        std::uint8_t* __restrict is_right = is_right_.data();
        const GoesRight asked = goes_right;  // of our own: no byte written can be part of it
        for (std::int32_t i = 0; i < n; ++i) is_right[i] = static_cast<std::uint8_t>(asked(i, rows[i]));
        // What is written beyond the rows that go left is overwritten by those that go right, if there are enough.
        std::uint32_t *first = n - left >= ROWS_AT_ONCE ? to : parted_[0].data(), *second = parted_[1].data();
        partition_rows(rows, is_right, n, first, second);
        if (first != to) std::copy_n(first, left, to);
        std::copy_n(second, n - left, to + left);
    }

    template <class Times>
    void put(const Target& target, const std::vector<std::uint32_t>& order, std::int64_t n_rows, const Times& times) {
        rows_[0].clear();
        data_[0].clear();
        weigh_one_ = true;
        counts_.assign(target.n_classes, 0);
        for (std::int64_t i = 0; i < n_rows; ++i) {
            const std::int64_t row = order.empty() ? i : order[i];
            if (times(row) == 0) continue;
            const std::int64_t weight = times(row) * (target.weights.empty() ? 1 : target.weights[row]);
            weigh_one_ &= weight == 1;
            rows_[0].push_back(static_cast<std::uint32_t>(i));
            data_[0].push_back(
                Side::row(Side::is_class ? target.classes[row] : 0, weight, Side::is_class ? 0 : target.sums[row]));
            if constexpr (ByClass) ++counts_[target.classes[row]];
        }
        if (is_by_class()) data_[0].clear();
    }

    std::vector<std::uint32_t> rows_[2], all_rows_, parted_[2];
    std::vector<std::uint8_t> is_right_;
    std::vector<Row> data_[2], all_data_;
    std::vector<std::int64_t> counts_;
    bool weigh_one_ = true, all_weigh_one_ = true;
};

}  // namespace hornbeam
