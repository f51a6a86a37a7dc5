// Where are the rows of a tree while it grows?  In one list with their targets beside them; a node is a range of it,
// and splitting a node parts its range, both sides in order.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/data.hpp"
#include "ensembles/lean.hpp"

namespace hornbeam {

template <class Side>
class Bag {
  public:
    using Row = typename Side::Row;

    // The rows that count, as often as they are drawn; returns how many they are.
    std::int32_t fill(const Target& target, const std::vector<std::uint32_t>& times) {
        rows_.clear();
        data_.clear();
        for (std::size_t row = 0; row < times.size(); ++row) {
            if (times[row] == 0) continue;
            const std::int64_t weight = times[row] * (target.weights.empty() ? 1 : target.weights[row]);
            rows_.push_back(static_cast<std::uint32_t>(row));
            data_.push_back(
                Side::row(Side::is_class ? target.classes[row] : 0, weight, Side::is_class ? 0 : target.sums[row]));
        }
        spare_rows_.resize(rows_.size());
        spare_data_.resize(rows_.size());
        return static_cast<std::int32_t>(rows_.size());
    }

    const std::uint32_t* rows(std::int32_t begin) const { return rows_.data() + begin; }
    const Row* data(std::int32_t begin) const { return data_.data() + begin; }

    // The exact sums over some rows, into a node that has none yet.
    void sum_up(std::int32_t begin, std::int32_t end, LeanNode& node, std::int64_t* counts, int n_classes) const {
        node.rows = end - begin;
        if constexpr (Side::is_class) {
            for (std::int32_t i = begin; i < end; ++i) Side::count(data_[i], counts);
            for (int k = 0; k < n_classes; ++k) node.weight += counts[k];
        } else {
            for (std::int32_t i = begin; i < end; ++i) {
                node.weight += data_[i].weight;
                node.sum += data_[i].number * data_[i].weight;
            }
        }
    }

    // The weighted sum of squares about a mean; true when all numbers are one.
    bool spread(std::int32_t begin, std::int32_t end, double mean, double& squares) const {
        std::int64_t differ = 0;
        for (std::int32_t i = begin; i < end; ++i) {
            const double off = static_cast<double>(data_[i].number) - mean;
            squares += static_cast<double>(data_[i].weight) * off * off;
            differ |= data_[i].number ^ data_[begin].number;
        }
        return differ == 0;
    }

    // Rows of branch 0 first; `each(use)` calls use(i, goes_right) for every row in order. Returns how many go left.
    template <class Each>
    std::int32_t part(std::int32_t begin, const Each& each) {
        std::uint32_t* rows = rows_.data() + begin;
        Row* data = data_.data() + begin;
        std::uint32_t* other_rows = spare_rows_.data();
        Row* other_data = spare_data_.data();
        std::int32_t left = 0, right = 0;
        each([&](std::int32_t i, bool goes_right) {
            const std::uint32_t row = rows[i];
            const Row item = data[i];
            rows[left] = other_rows[right] = row;
            data[left] = other_data[right] = item;
            left += !goes_right;
            right += goes_right;
        });
        std::memcpy(rows + left, other_rows, static_cast<std::size_t>(right) * sizeof *rows);
        std::memcpy(data + left, other_data, static_cast<std::size_t>(right) * sizeof *data);
        return left;
    }

  private:
    std::vector<std::uint32_t> rows_, spare_rows_;
    std::vector<Row> data_, spare_data_;
};

}  // namespace hornbeam
