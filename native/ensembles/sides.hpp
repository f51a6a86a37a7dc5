// What is added up on the left of a cut, and how good is it?  One class a family of targets; each adds rows (or all
// rows of one code) in order and writes what the scores of a batch need. All sums are integers.
//
//     TwoClasses    Gini from (weight, weight of class 1), two sums in one word
//     ManyClasses   Gini from sums of squares, or entropy from a table of x log x
//     Numbers       squared error from (weight, sum)
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "criteria/impurities.hpp"
#include "ensembles/lane_scores.hpp"
#include "ensembles/lanes.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// The exact sums over a node's rows; `counts` has a number a class.
struct NodeSums {
    std::int64_t weight = 0, sum = 0;
    const std::int64_t* counts = nullptr;
};

class TwoClasses {
  public:
    using Row = std::uint64_t;  // weight << 32 | weight of class 1
    static constexpr bool is_class = true;

    TwoClasses(int, const std::int64_t*, double) {}
    static double impurity(const double* shares, double weight) { return Gini::of(shares, 2, weight); }
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
    void restart() { left_ = 0; }
    void add(Row row) { left_ += row; }
    // Of cuts side by side, from the sums below them (lanes.hpp): their scores; below one of them its weight, all sums.
    static constexpr int n_sums(int) { return 1; }
    void scores(const std::int64_t* sums, std::size_t lanes, double* out) const {
        packed_scores(sums, lanes, total_, mean_, out);
    }
    std::int64_t weight_below(const std::int64_t* sums, std::size_t, std::size_t lane) const {
        return sums[lane] >> 32;
    }
    // The sums from counts of rows, `lanes` a class, in the same place.
    static void pack(std::int64_t* sums, std::size_t lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] = (sums[lane] + sums[lanes + lane]) << 32 | sums[lanes + lane];
    }
    void sums_below(const std::int64_t* sums, std::size_t, std::size_t lane, std::int64_t& weight, std::int64_t&,
                    std::int64_t* counts) const {
        weight = sums[lane] >> 32;
        counts[1] = sums[lane] & 0xFFFFFFFF;
        counts[0] = weight - counts[1];
    }
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

class ManyClasses {
  public:
    using Row = ClassRow;
    static constexpr bool is_class = true;

    // With a table of x log x they are judged by entropy, without one by Gini.
    ManyClasses(int n_classes, const std::int64_t* xlog, double unit)
        : n_classes_(n_classes), xlog_(xlog), unit_(unit), counts_(n_classes, 0) {}
    double impurity(const double* shares, double weight) const {
        return xlog_ ? Entropy::of(shares, n_classes_, weight) : Gini::of(shares, n_classes_, weight);
    }
    static Row row(int k, std::int64_t weight, std::int64_t) { return {k, static_cast<std::int32_t>(weight)}; }
    static void count(Row row, std::int64_t* counts) { counts[row.k] += row.weight; }
    void start(const NodeSums& node) {
        total_ = node.weight;
        totals_ = node.counts;
        whole_ = apart_ = 0;
        if (xlog_) {
            for (int k = 0; k < n_classes_; ++k) apart_ += xlog_[totals_[k]];
            whole_ = apart_ - xlog_[total_];
        } else {
            for (int k = 0; k < n_classes_; ++k) whole_ += totals_[k] * totals_[k];
        }
        restart();
    }
    void restart() {
        std::fill(counts_.begin(), counts_.end(), 0);
        left_ = cross_ = weight_ = 0;
        right_ = apart_;
    }
    void add(Row row) { add(row.k, row.weight); }
    static constexpr int n_sums(int n_classes) { return n_classes; }
    void scores(const std::int64_t* sums, std::size_t lanes, double* out) const {
        constexpr std::int64_t SQUARES_FIT = std::int64_t{1} << 26;
        if (!xlog_ && total_ < SQUARES_FIT)
            return square_scores(sums, lanes,
                                 {n_classes_, totals_, static_cast<double>(total_), static_cast<double>(whole_)}, out);
        for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = score_below(sums, lanes, lane);
    }
    std::int64_t weight_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane) const {
        std::int64_t weight = 0;
        for (int k = 0; k < n_classes_; ++k) weight += sums[k * lanes + lane];
        return weight;
    }
    static void pack(std::int64_t*, std::size_t) {}
    void sums_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane, std::int64_t& weight, std::int64_t&,
                    std::int64_t* counts) const {
        for (int k = 0; k < n_classes_; ++k) weight += counts[k] = sums[k * lanes + lane];
    }
    std::int64_t weight() const { return weight_; }
    void write(CutScratch& s, std::int32_t at) const {
        if (xlog_) {
            s.score[at] = entropy_score(left_, right_, weight_);
        } else {
            s.first[at] = left_;
            s.second[at] = whole_ - 2 * cross_ + left_;
            s.weight[at] = static_cast<double>(weight_);
        }
    }
    double base() const { return xlog_ ? 0.0 : static_cast<double>(whole_) / static_cast<double>(total_); }
    double to_gain() const { return 1.0 / static_cast<double>(total_); }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        if (xlog_)
            take_best(s.score, n, tolerance, best);
        else
            best_of(SquareScores{static_cast<double>(total_)}, CutSums{s.first, s.second, s.weight, s.score}, n,
                    tolerance, best);
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
    double entropy_score(std::int64_t left, std::int64_t right, std::int64_t weight) const {
        const std::int64_t sides = xlog_[weight] + xlog_[total_ - weight];
        return static_cast<double>(left + right - sides - whole_) * unit_;
    }

    double score_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane) const {
        std::int64_t left = 0, right = 0, weight = 0;
        for (int k = 0; k < n_classes_; ++k) {
            const std::int64_t below = sums[k * lanes + lane], above = totals_[k] - below;
            weight += below;
            left += xlog_ ? xlog_[below] : below * below;
            right += xlog_ ? xlog_[above] : above * above;
        }
        if (xlog_) return entropy_score(left, right, weight);
        return SquareScores{static_cast<double>(total_)}(left, right, static_cast<double>(weight));
    }

    void add(int k, std::int64_t w) {
        const std::int64_t before = counts_[k], after = before + w, all = totals_[k];
        if (xlog_) {
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
    std::int64_t total_ = 0, left_ = 0, right_ = 0, cross_ = 0, weight_ = 0;
    std::int64_t whole_ = 0, apart_ = 0;  // of the node: its score, and (entropy) what its classes add to it
    std::vector<std::int32_t> table_;
};

class Numbers {
  public:
    using Row = NumberRow;
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
        restart();
    }
    void restart() { sum_ = weight_ = 0; }
    void add(Row row) {
        sum_ += row.number * row.weight;
        weight_ += row.weight;
    }
    static constexpr int n_sums(int) { return 2; }
    void scores(const std::int64_t* sums, std::size_t lanes, double* out) const {
        number_scores(sums, lanes, centre_, total_, mean_, out);
    }
    std::int64_t weight_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane) const {
        return sums[lanes + lane];
    }
    void sums_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane, std::int64_t& weight,
                    std::int64_t& sum, std::int64_t*) const {
        weight = sums[lanes + lane];
        sum = sums[lane];
    }
    std::int64_t weight() const { return weight_; }
    void write(CutScratch& s, std::int32_t at) const {
        s.first[at] = sum_ - centre_ * weight_;
        s.weight[at] = static_cast<double>(weight_);
    }
    double base() const { return 0.0; }
    double to_gain() const { return to_gain_; }
    void finish(CutScratch& s, std::int32_t n, double tolerance, Cut& best) const {
        best_of(MomentScores{total_, mean_}, CutSums{s.first, s.first, s.weight, s.score}, n, tolerance, best);
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
