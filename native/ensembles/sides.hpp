// Side: the sums of the rows on the left side of a cut, one class per kind of target. Rows, or all rows of one code
// (column_search.hpp), are added in order; the terms of the score of each cut are written to a batch. All sums are
// integers.
//
//     TwoClasses    Gini from (weight, weight of class 1), both in one word
//     ManyClasses   Gini from sums of squares, or entropy from a table of x log x
//     Numbers       squared error from (weight, sum)
#pragma once

#include <cstdint>
#include <vector>

#include "criteria/impurities.hpp"
#include "ensembles/lane_sides.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

class TwoClasses : public TwoClassLanes {
  public:
    using Row = std::uint64_t;  // weight << 32 | weight of class 1
    using Sums = Row;
    static constexpr bool is_class = true;

    TwoClasses(int, const std::int64_t*, double) {}
    static double impurity(const double* class_weights, double weight) { return Gini::of(class_weights, 2, weight); }
    static Row row(int k, std::int64_t weight, std::int64_t) {
        return (static_cast<Row>(weight) << 32) | static_cast<Row>(k == 1 ? weight : 0);
    }
    static void count(Row row, std::int64_t* counts) {
        const auto first = static_cast<std::int64_t>(row & 0xFFFFFFFFu), total = static_cast<std::int64_t>(row >> 32);
        counts[0] += total - first;
        counts[1] += first;
    }
    void restart() { left_ = 0; }
    static void add_to(Sums& sums, Row row) { sums += row; }
    static bool has_rows(Sums sums) { return sums != 0; }
    void add(Row row) { left_ += row; }
    std::int64_t weight() const { return static_cast<std::int64_t>(left_ >> 32); }
    void write(CutScratch& s, std::int32_t at) const {
        s.first[at] = static_cast<std::int64_t>(left_ & 0xFFFFFFFFu);
        s.weight[at] = static_cast<double>(weight());
    }
    double base() const { return 0.0; }
    double to_gain() const { return 2.0; }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        best_of(MomentScores{total_, mean_}, CutSums{s.first, s.first, s.weight, s.score}, n, tolerance, best);
    }

  private:
    Row left_ = 0;
};

class ManyClasses : public ClassLanes {
  public:
    using Row = ClassRow;
    static constexpr bool is_class = true;

    // With a table of x log x the criterion is entropy, without one Gini.
    ManyClasses(int n_classes, const std::int64_t* xlog, double unit)
        : ClassLanes(n_classes, xlog, unit), counts_(n_classes, 0) {}
    double impurity(const double* class_weights, double weight) const {
        return xlog_ ? Entropy::of(class_weights, n_classes_, weight) : Gini::of(class_weights, n_classes_, weight);
    }
    static Row row(int k, std::int64_t weight, std::int64_t) { return {k, static_cast<std::int32_t>(weight)}; }
    static void count(Row row, std::int64_t* counts) { counts[row.k] += row.weight; }
    void restart() {
        std::fill(counts_.begin(), counts_.end(), 0);
        left_ = cross_ = weight_ = 0;
        right_ = node_xlog_;
    }
    void add(Row row) { add(row.k, row.weight); }
    std::int64_t weight() const { return weight_; }
    void write(CutScratch& s, std::int32_t at) const {
        if (xlog_) {
            s.score[at] = entropy_score(left_, right_, weight_);
        } else {
            s.first[at] = left_;
            s.second[at] = node_score_ - 2 * cross_ + left_;
            s.weight[at] = static_cast<double>(weight_);
        }
    }
    double base() const { return xlog_ ? 0.0 : static_cast<double>(node_score_) / static_cast<double>(total_); }
    double to_gain() const { return 1.0 / static_cast<double>(total_); }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        if (xlog_)
            take_best(s.score, n, tolerance, best);
        else
            best_of(SquareScores{static_cast<double>(total_)}, CutSums{s.first, s.second, s.weight, s.score}, n,
                    tolerance, best);
    }

  private:
    void add(int k, std::int64_t w) {
        const std::int64_t before = counts_[k], after = before + w, total = totals_[k];
        if (xlog_) {
            left_ += xlog_[after] - xlog_[before];
            right_ += xlog_[total - after] - xlog_[total - before];
        } else {
            left_ += w * (2 * before + w);
            cross_ += w * total;
        }
        counts_[k] = after;
        weight_ += w;
    }

    std::vector<std::int64_t> counts_;
    std::int64_t left_ = 0, right_ = 0, cross_ = 0, weight_ = 0;
};

class Numbers : public NumberLanes {
  public:
    using Row = NumberRow;
    struct Sums {
        std::int64_t sum = 0, weight = 0;
    };
    static constexpr bool is_class = false;

    Numbers(int, const std::int64_t*, double unit) : to_gain_(unit * unit) {}
    static Row row(int, std::int64_t weight, std::int64_t number) { return {number, weight}; }
    void restart() { sum_ = weight_ = 0; }
    void add(Row row) {
        sum_ += row.number * row.weight;
        weight_ += row.weight;
    }
    static void add_to(Sums& sums, Row row) {
        sums.sum += row.number * row.weight;
        sums.weight += row.weight;
    }
    static bool has_rows(const Sums& sums) { return sums.weight != 0; }
    void add(const Sums& some) {
        sum_ += some.sum;
        weight_ += some.weight;
    }
    std::int64_t weight() const { return weight_; }
    void write(CutScratch& s, std::int32_t at) const {
        s.first[at] = sum_ - center_ * weight_;
        s.weight[at] = static_cast<double>(weight_);
    }
    double base() const { return 0.0; }
    double to_gain() const { return to_gain_; }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        best_of(MomentScores{total_, mean_}, CutSums{s.first, s.first, s.weight, s.score}, n, tolerance, best);
    }

  private:
    double to_gain_;
    std::int64_t sum_ = 0, weight_ = 0;
};

}  // namespace hornbeam
