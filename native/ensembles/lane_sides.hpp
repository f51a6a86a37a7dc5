// Scores of cuts in adjacent lanes from the sums below them (lanes.hpp), one class per kind of target. Each class
// stores the terms of the scores that depend only on the node. The classes of sides.hpp derive from them and handle
// single cuts.
#pragma once

#include <cstdint>

#include "ensembles/lane_scores.hpp"
#include "ensembles/lanes.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// The exact sums of the rows of a node; `counts` has one weight per class.
struct NodeSums {
    std::int64_t weight = 0, sum = 0;
    const std::int64_t* counts = nullptr;
};

class TwoClassLanes {
  public:
    // From the sums below the cuts of all lanes: the scores of all cuts; the weight, or all sums, below one cut.
    static constexpr int n_sums(int) { return 1; }
    void scores(const std::int64_t* sums, std::size_t lanes, double* out) const {
        packed_scores(sums, lanes, total_, mean_, out);
    }
    std::int64_t weight_below(const std::int64_t* sums, std::size_t, std::size_t lane) const {
        return sums[lane] >> 32;
    }
    // Converts row counts, `lanes` per class, to packed sums in place.
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

    void start_node(const NodeSums& node) {
        total_ = static_cast<double>(node.weight);
        mean_ = static_cast<double>(node.counts[1]) / total_;
    }

  protected:
    double total_ = 0.0, mean_ = 0.0;
};

class ClassLanes {
  public:
    // With a table of x log x the criterion is entropy, without one Gini.
    ClassLanes(int n_classes, const std::int64_t* xlog, double unit)
        : n_classes_(n_classes), xlog_(xlog), unit_(unit) {}
    static constexpr int n_sums(int n_classes) { return n_classes; }
    void scores(const std::int64_t* sums, std::size_t lanes, double* out) const {
        constexpr std::int64_t MAX_EXACT_SQUARES = std::int64_t{1} << 26;
        if (!xlog_ && total_ < MAX_EXACT_SQUARES)
            return square_scores(
                sums, lanes, {n_classes_, totals_, static_cast<double>(total_), static_cast<double>(node_score_)}, out);
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

    void start_node(const NodeSums& node) {
        total_ = node.weight;
        totals_ = node.counts;
        node_score_ = node_xlog_ = 0;
        if (xlog_) {
            for (int k = 0; k < n_classes_; ++k) node_xlog_ += xlog_[totals_[k]];
            node_score_ = node_xlog_ - xlog_[total_];
        } else {
            for (int k = 0; k < n_classes_; ++k) node_score_ += totals_[k] * totals_[k];
        }
    }

  protected:
    double entropy_score(std::int64_t left, std::int64_t right, std::int64_t weight) const {
        const std::int64_t sides = xlog_[weight] + xlog_[total_ - weight];
        return static_cast<double>(left + right - sides - node_score_) * unit_;
    }

    int n_classes_;
    const std::int64_t* xlog_;
    double unit_;
    const std::int64_t* totals_ = nullptr;
    std::int64_t total_ = 0;
    std::int64_t node_score_ = 0, node_xlog_ = 0;  // of the node: its score; entropy: the sum of x log x of its classes

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
        number_scores(sums, lanes, center_, total_, mean_, out);
    }
    std::int64_t weight_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane) const {
        return sums[lanes + lane];
    }
    void sums_below(const std::int64_t* sums, std::size_t lanes, std::size_t lane, std::int64_t& weight,
                    std::int64_t& sum, std::int64_t*) const {
        weight = sums[lanes + lane];
        sum = sums[lane];
    }

    void start_node(const NodeSums& node) {
        total_ = static_cast<double>(node.weight);
        center_ = node.sum / node.weight;
        mean_ = static_cast<double>(node.sum - center_ * node.weight) / total_;
    }

  protected:
    double total_ = 0.0, mean_ = 0.0;
    std::int64_t center_ = 0;
};

}  // namespace hornbeam
