// How good are cuts side by side, from the sums below them (lanes.hpp)?  One class per family of targets; each keeps
// what the scores need of the node, and the classes of sides.hpp add up the sums of single cuts beside it.
#pragma once

#include <cstdint>
#include <vector>

#include "ensembles/lane_scores.hpp"
#include "ensembles/lanes.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// The exact sums over a node's rows; `counts` has one number per class.
struct NodeSums {
    std::int64_t weight = 0, sum = 0;
    const std::int64_t* counts = nullptr;
};

class TwoClassLanes {
  public:
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

  protected:
    void enter(const NodeSums& node) {
        total_ = static_cast<double>(node.weight);
        mean_ = static_cast<double>(node.counts[1]) / total_;
    }

    double total_ = 0.0, mean_ = 0.0;
};

class ClassLanes {
  public:
    // With a table of x log x they are judged by entropy, without one by Gini.
    ClassLanes(int n_classes, const std::int64_t* xlog, double unit)
        : n_classes_(n_classes), xlog_(xlog), unit_(unit) {}
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

  protected:
    void enter(const NodeSums& node) {
        total_ = node.weight;
        totals_ = node.counts;
        whole_ = apart_ = 0;
        if (xlog_) {
            for (int k = 0; k < n_classes_; ++k) apart_ += xlog_[totals_[k]];
            whole_ = apart_ - xlog_[total_];
        } else {
            for (int k = 0; k < n_classes_; ++k) whole_ += totals_[k] * totals_[k];
        }
    }
    double entropy_score(std::int64_t left, std::int64_t right, std::int64_t weight) const {
        const std::int64_t sides = xlog_[weight] + xlog_[total_ - weight];
        return static_cast<double>(left + right - sides - whole_) * unit_;
    }

    int n_classes_;
    const std::int64_t* xlog_;
    double unit_;
    const std::int64_t* totals_ = nullptr;
    std::int64_t total_ = 0;
    std::int64_t whole_ = 0, apart_ = 0;  // of the node: its score, and (entropy) what its classes add to it

  private:
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
};

class NumberLanes {
  public:
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

  protected:
    void enter(const NodeSums& node) {
        total_ = static_cast<double>(node.weight);
        centre_ = node.sum / node.weight;
        mean_ = static_cast<double>(node.sum - centre_ * node.weight) / total_;
    }

    double total_ = 0.0, mean_ = 0.0;
    std::int64_t centre_ = 0;
};

}  // namespace hornbeam
