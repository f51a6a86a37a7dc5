// What is added up on the left of a cut, and how good is it?  One class a family of targets; each adds rows (or all
// rows of one code) in order and writes what the scores of a batch need. All sums are integers.
//
//     TwoClasses    Gini from (weight, weight of class 1), two sums in one word
//     ManyClasses   Gini from sums of squares, or entropy from a table of x log x
//     Numbers       squared error from (weight, sum)
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "searches/cut.hpp"

namespace hornbeam {

// The exact sums over a node's rows; `counts` has a number a class.
struct NodeSums {
    std::int64_t weight = 0, sum = 0;
    const std::int64_t* counts = nullptr;
};

// The sum of the packed rows whose cell is at or below a cut, and how many they are.
std::uint64_t sum_below(const std::uint16_t* cells, const std::uint64_t* rows, std::int32_t n, std::uint16_t cut,
                        std::int64_t& count);
std::uint64_t sum_below(const double* cells, const std::uint64_t* rows, std::int32_t n, double cut,
                        std::int64_t& count);
std::uint64_t sum_below(const std::uint32_t* cells, const std::uint64_t* rows, std::int32_t n, std::uint32_t cut,
                        std::int64_t& count);

class TwoClasses {
  public:
    using Row = std::uint64_t;  // weight << 32 | weight of class 1
    static constexpr bool is_class = true;

    TwoClasses(int, const std::int64_t*, double) {}
    static Row row(int k, std::int64_t weight, std::int64_t) {
        return (static_cast<Row>(weight) << 32) | static_cast<Row>(k == 1 ? weight : 0);
    }
    static void count(Row row, std::int64_t* counts) {
        const auto first = static_cast<std::int64_t>(row & 0xFFFFFFFFu), all = static_cast<std::int64_t>(row >> 32);
        counts[0] += all - first;
        counts[1] += first;
    }
    void start(const NodeSums& node) {
        total_ = static_cast<double>(node.weight);
        mean_ = static_cast<double>(node.counts[1]) / total_;
        left_ = 0;
    }
    void add(Row row) { left_ += row; }
    // Adds the rows at or below a cut, without a branch; returns how many they are.
    template <class Cell>
    std::int32_t add_below(const Cell* cells, const Row* rows, std::int32_t n, Cell cut) {
        std::int64_t count = 0;
        left_ += sum_below(cells, rows, n, cut, count);
        return static_cast<std::int32_t>(count);
    }
    std::int64_t weight() const { return static_cast<std::int64_t>(left_ >> 32); }
    void write(CutScratch& s, std::int32_t at) const {
        s.first[at] = static_cast<std::int64_t>(left_ & 0xFFFFFFFFu);
        s.weight[at] = static_cast<double>(weight());
    }
    double base() const { return 0.0; }
    double to_gain() const { return 2.0; }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        best_of(MomentScores{total_, mean_}, s.first, s.first, s.weight, s.score, n, tolerance, best);
    }

    // Rows gathered by code.
    void make_room(std::size_t n) {
        if (table_.size() < n) table_.resize(n, 0);
    }
    static constexpr std::size_t cells_of_code(int) { return 1; }
    void gather(std::uint32_t code, Row row) { table_[code] += row; }
    bool take(std::uint32_t code) {
        const Row row = table_[code];
        table_[code] = 0;
        left_ += row;
        return row != 0;
    }

  private:
    double total_ = 0.0, mean_ = 0.0;
    Row left_ = 0;
    std::vector<Row> table_;
};

template <bool Entropy>
class ManyClasses {
  public:
    struct Row {
        std::int32_t k, weight;
    };
    static constexpr bool is_class = true;

    ManyClasses(int n_classes, const std::int64_t* xlog, double unit)
        : n_classes_(n_classes), xlog_(xlog), unit_(unit), counts_(n_classes, 0) {}
    static Row row(int k, std::int64_t weight, std::int64_t) { return {k, static_cast<std::int32_t>(weight)}; }
    static void count(Row row, std::int64_t* counts) { counts[row.k] += row.weight; }
    void start(const NodeSums& node) {
        total_ = node.weight;
        totals_ = node.counts;
        std::fill(counts_.begin(), counts_.end(), 0);
        left_ = cross_ = weight_ = whole_ = right_ = 0;
        if constexpr (Entropy) {
            for (int k = 0; k < n_classes_; ++k) right_ += xlog_[totals_[k]];
            whole_ = right_ - xlog_[total_];
        } else {
            for (int k = 0; k < n_classes_; ++k) whole_ += totals_[k] * totals_[k];
        }
    }
    void add(Row row) { add(row.k, row.weight); }
    template <class Cell>
    std::int32_t add_below(const Cell* cells, const Row* rows, std::int32_t n, Cell cut) {
        std::int32_t count = 0;
        std::int64_t* counts = counts_.data();
        for (std::int32_t i = 0; i < n; ++i) {
            const bool is_in = cells[i] <= cut;
            counts[rows[i].k] += rows[i].weight & (0 - static_cast<std::int32_t>(is_in));
            count += is_in;
        }
        for (int k = 0; k < n_classes_; ++k) {
            const std::int64_t counted = std::exchange(counts[k], 0);
            if (counted > 0) add(k, counted);
        }
        return count;
    }
    std::int64_t weight() const { return weight_; }
    void write(CutScratch& s, std::int32_t at) const {
        if constexpr (Entropy) {
            const std::int64_t sides = xlog_[weight_] + xlog_[total_ - weight_];
            s.score[at] = static_cast<double>(left_ + right_ - sides - whole_) * unit_;
        } else {
            s.first[at] = left_;
            s.second[at] = whole_ - 2 * cross_ + left_;
            s.weight[at] = static_cast<double>(weight_);
        }
    }
    double base() const { return Entropy ? 0.0 : static_cast<double>(whole_) / static_cast<double>(total_); }
    double to_gain() const { return 1.0 / static_cast<double>(total_); }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        if constexpr (Entropy)
            take_best(s.score, n, tolerance, best);
        else
            best_of(SquareScores{static_cast<double>(total_)}, s.first, s.second, s.weight, s.score, n, tolerance,
                    best);
    }

    void make_room(std::size_t n) {
        if (table_.size() < n * n_classes_) table_.resize(n * n_classes_, 0);
    }
    static constexpr std::size_t cells_of_code(int n_classes) { return n_classes; }
    void gather(std::uint32_t code, Row row) {
        table_[static_cast<std::size_t>(code) * n_classes_ + row.k] += row.weight;
    }
    bool take(std::uint32_t code) {
        std::int32_t* counts = table_.data() + static_cast<std::size_t>(code) * n_classes_;
        const std::int64_t before = weight_;
        for (int k = 0; k < n_classes_; ++k) {
            if (counts[k] == 0) continue;
            add(k, counts[k]);
            counts[k] = 0;
        }
        return weight_ != before;
    }

  private:
    void add(int k, std::int64_t w) {
        const std::int64_t before = counts_[k], after = before + w, all = totals_[k];
        if constexpr (Entropy) {
            left_ += xlog_[after] - xlog_[before];
            right_ += xlog_[all - after] - xlog_[all - before];
        } else {
            left_ += w * (2 * before + w);
            cross_ += w * all;
        }
        counts_[k] = after;
        weight_ += w;
    }

    int n_classes_;
    const std::int64_t* xlog_;
    double unit_;
    std::vector<std::int64_t> counts_;
    const std::int64_t* totals_ = nullptr;
    std::int64_t total_ = 0, left_ = 0, right_ = 0, cross_ = 0, weight_ = 0, whole_ = 0;
    std::vector<std::int32_t> table_;
};

class Numbers {
  public:
    struct Row {
        std::int64_t number, weight;
    };
    struct Sums {
        std::int64_t sum, weight;
    };
    static constexpr bool is_class = false;

    Numbers(int, const std::int64_t*, double unit) : to_gain_(unit * unit) {}
    static Row row(int, std::int64_t weight, std::int64_t number) { return {number, weight}; }
    void start(const NodeSums& node) {
        total_ = static_cast<double>(node.weight);
        centre_ = node.sum / node.weight;
        mean_ = static_cast<double>(node.sum - centre_ * node.weight) / total_;
        sum_ = weight_ = 0;
    }
    void add(Row row) {
        sum_ += row.number * row.weight;
        weight_ += row.weight;
    }
    template <class Cell>
    std::int32_t add_below(const Cell* cells, const Row* rows, std::int32_t n, Cell cut) {
        std::int64_t sum = 0, weight = 0;
        std::int32_t count = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            const bool is_in = cells[i] <= cut;
            const std::int64_t mine = rows[i].weight & (0 - static_cast<std::int64_t>(is_in));
            sum += rows[i].number * mine;
            weight += mine;
            count += is_in;
        }
        sum_ += sum;
        weight_ += weight;
        return count;
    }
    std::int64_t weight() const { return weight_; }
    void write(CutScratch& s, std::int32_t at) const {
        s.first[at] = sum_ - centre_ * weight_;
        s.weight[at] = static_cast<double>(weight_);
    }
    double base() const { return 0.0; }
    double to_gain() const { return to_gain_; }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        best_of(MomentScores{total_, mean_}, s.first, s.first, s.weight, s.score, n, tolerance, best);
    }

    void make_room(std::size_t n) {
        if (table_.size() < n) table_.resize(n, {0, 0});
    }
    static constexpr std::size_t cells_of_code(int) { return 2; }
    void gather(std::uint32_t code, Row row) {
        table_[code].sum += row.number * row.weight;
        table_[code].weight += row.weight;
    }
    bool take(std::uint32_t code) {
        const Sums sums = table_[code];
        table_[code] = {0, 0};
        sum_ += sums.sum;
        weight_ += sums.weight;
        return sums.weight != 0;
    }

  private:
    double to_gain_, total_ = 0.0, mean_ = 0.0;
    std::int64_t centre_ = 0, sum_ = 0, weight_ = 0;
    std::vector<Sums> table_;
};

}  // namespace hornbeam
