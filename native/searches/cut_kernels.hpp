// best_cut: finds the best cut of one column at one node. One pass over the rows of the node in the order of the column
// collects the statistics left of each cut (between two different ranks); a second, vectorized pass scores them.
//
// There is one kernel per family of criteria: `Moments` (two classes by Gini, regression by squared error), `Squares`
// (several classes by Gini), `Logs` (entropy, from a table of x log x in fixed point); cell_scores.hpp has all others.
// A kernel adds one row at a time and writes the input of its score; all sums are integers, so the order of equal ranks
// has no effect. Before the first row, `count_in` sets the buffer of the class counts.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/center.hpp"
#include "core/stop.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// An entry of a sorted list packs rank and row into one word: 16 + 16 bits in small blocks, 32 + 32 in large ones.
template <class Entry>
inline constexpr int HALF = sizeof(Entry) * 4;
template <class Entry>
inline constexpr Entry NO_RANK = (Entry{1} << HALF<Entry>)-1;
template <class Entry>
std::uint32_t row_of(Entry e) {
    return static_cast<std::uint32_t>(e & NO_RANK<Entry>);
}
template <class Entry>
Entry rank_of(Entry e) {
    return e >> HALF<Entry>;
}

// Adds `known` entries to a kernel in order; returns the best cut, with its score in the unit of the kernel.
// `differs` may exclude further cuts (C4.5 requires a gap of 1e-5).
template <class Entry, class Kernel, class Differs>
Cut best_cut(const Entry* list, std::int32_t known, const Kernel& whole, const CutRule& limits, CutScratch& scratch,
             const Differs& differs) {
    Cut best;
    const MinSize min_size = limits.min_size;
    const auto low = static_cast<std::int32_t>(std::max<std::int64_t>(min_size.rows, 1));
    if (known < 2 * low) return best;
    const double base = whole.base();
    best.score = min_size.start(base);
    // Rows are added to copies of the kernel whose address does not escape, so that their sums are in registers.
    Kernel kernel = whole;
    std::int32_t i = 0;
    for (; i < low - 1; ++i) kernel.add(row_of(list[i]));
    while (i < known - low) {
        check_stop(CutScratch::BATCH);
        Kernel running = kernel;
        std::int32_t count = 0;
        Entry next = list[i];
        for (const std::int32_t end = std::min(known - low, i + CutScratch::BATCH); i < end; ++i) {
            const Entry here = next;
            next = list[i + 1];
            running.add(row_of(here));
            if constexpr (!Kernel::is_cheap)
                if (rank_of(here) == rank_of(next)) continue;
            running.write(scratch, count);
            scratch.rows[count] = i + 1;
            count += (rank_of(here) != rank_of(next)) & running.allows(min_size) & differs(here, next);
        }
        kernel = running;
        Cut of_batch{best.score, -1, 0};
        whole.finish(scratch, count, limits.tolerance, of_batch);
        best.tried += count;
        if (of_batch.at >= 0) best.score = of_batch.score, best.at = scratch.rows[of_batch.at];
    }
    best.score -= base;
    return best;
}

// The buffers of a scan for sums of this width.
template <class Sum>
auto sums_of(CutScratch& s) {
    if constexpr (sizeof(Sum) == 4)
        return std::pair(s.first_narrow, s.second_narrow);
    else
        return std::pair(s.first, s.second);
}

// Two classes by Gini (Value is a byte, 0 or 1), or regression by squared error. Rows have a weight of one unit unless
// `Weighted`.
template <class Value, bool Weighted>
class Moments {
  public:
    static constexpr bool is_cheap = true;
    static constexpr bool IS_CLASS = std::is_same_v<Value, std::uint8_t>;
    using Sum = std::conditional_t<IS_CLASS, std::int32_t, std::int64_t>;
    // For classes, `mean` is 0 and a rest; its shift is 0 unless `Weighted`.
    Moments(const Value* values, const std::int64_t* weights, const ScaledMean& mean, std::int64_t total)
        : values_(values), weights_(weights), mean_(mean), total_(total) {}
    void count_in(std::vector<std::int64_t>&) {}
    void add(std::uint32_t row) {
        if constexpr (Weighted) {
            sum_ += mean_.of(weights_[row], values_[row]);
            weight_ += weights_[row];
        } else if constexpr (IS_CLASS) {
            sum_ += values_[row];
        } else {
            sum_ += values_[row] - mean_.whole;
        }
    }
    // Adds all rows of a code: (weights of both classes), or (weight, sum).
    void add_counts(const std::int64_t* counts) {
        sum_ += static_cast<Sum>(IS_CLASS ? counts[1] : mean_.of(counts[0], counts[1]));
        weight_ += counts[0];
    }
    void write(CutScratch& s, std::int32_t at) const {
        sums_of<Sum>(s).first[at] = sum_;
        if constexpr (Weighted) {
            s.second[at] = total_ - weight_;
            s.weight[at] = static_cast<double>(weight_);
        }
    }
    bool allows(const MinSize& min_size) const {
        if constexpr (!Weighted) return true;
        return weight_ >= min_size.weight && total_ - weight_ >= min_size.weight;
    }
    double base() const { return 0.0; }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        const auto [first, second] = sums_of<Sum>(s);
        if constexpr (Weighted)
            best_of(WeightedMomentScores{mean_.rest}, CutSums{first, second, s.weight, s.score}, count, tolerance,
                    best);
        else
            best_of(MomentScores{static_cast<double>(total_), mean_.rest}, CutSums{first, second, s.rows, s.score},
                    count, tolerance, best);
    }

  private:
    const Value* values_;
    const std::int64_t* weights_;
    ScaledMean mean_;
    std::int64_t total_;
    Sum sum_ = 0;
    std::int64_t weight_ = 0;
};

// The classes of rows, their weights or null, and the buffer of class counts.
struct ClassRows {
    const std::uint16_t* classes;
    const std::int64_t* weights;
    std::vector<std::int64_t>& counts;
};

// x log2 x in fixed point, for integer weights.
struct XLogs {
    const std::int64_t* values;
    double unit;
};

// Several classes by Gini: squares_L increases by w (2 c + w); squares_R = sum T^2 - 2 sum T c + squares_L. `Sum` can
// store the square of the node's weight; intermediate sums may wrap around, the result does not.
template <class Sum, bool Weighted>
class Squares {
  public:
    static constexpr bool is_cheap = true;
    using Bits = std::make_unsigned_t<Sum>;
    Squares(const ClassRows& rows, std::span<const std::int64_t> totals, std::int64_t total, std::int64_t squares)
        : classes_(rows.classes),
          weights_(rows.weights),
          totals_(totals.data()),
          total_(total),
          n_classes_(static_cast<int>(totals.size())),
          squares_(static_cast<Bits>(squares)) {
        count_in(rows.counts);
    }
    void count_in(std::vector<std::int64_t>& counts) {
        counts.assign(n_classes_, 0);
        counts_ = counts.data();
    }
    void add(std::uint32_t row) {
        const int k = classes_[row];
        const std::int64_t w = Weighted ? weights_[row] : 1;
        left_ += static_cast<Bits>(w * (2 * counts_[k] + w));
        counts_[k] += w;
        cross_ += static_cast<Bits>(w * totals_[k]);
        if constexpr (Weighted) weight_ += w;
    }
    void add_counts(const std::int64_t* counts) {
        for (int k = 0; k < n_classes_; ++k) {
            if (counts[k] == 0) continue;
            left_ += static_cast<Bits>(counts[k] * (2 * counts_[k] + counts[k]));
            counts_[k] += counts[k];
            cross_ += static_cast<Bits>(counts[k] * totals_[k]);
            weight_ += counts[k];
        }
    }
    void write(CutScratch& s, std::int32_t at) const {
        const auto [first, second] = sums_of<Sum>(s);
        first[at] = static_cast<Sum>(left_);
        second[at] = static_cast<Sum>(squares_ - 2 * cross_ + left_);
        if constexpr (Weighted) s.weight[at] = static_cast<double>(weight_);
    }
    bool allows(const MinSize& min_size) const {
        if constexpr (!Weighted) return true;
        return weight_ >= min_size.weight && total_ - weight_ >= min_size.weight;
    }
    double base() const { return static_cast<double>(static_cast<Sum>(squares_)) / static_cast<double>(total_); }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        const auto [first, second] = sums_of<Sum>(s);
        const SquareScores scores{static_cast<double>(total_)};
        if constexpr (Weighted)
            best_of(scores, CutSums{first, second, s.weight, s.score}, count, tolerance, best);
        else
            best_of(scores, CutSums{first, second, s.rows, s.score}, count, tolerance, best);
    }

  private:
    const std::uint16_t* classes_;
    const std::int64_t* weights_;
    const std::int64_t* totals_;
    std::int64_t total_;
    std::int64_t* counts_;
    int n_classes_;
    Bits squares_, left_ = 0, cross_ = 0;
    std::int64_t weight_ = 0;
};

// Entropy: score = sum over sides of (sum_k x log x of its classes) - x log x of the side, in fixed point.
template <bool Weighted>
class Logs {
  public:
    static constexpr bool is_cheap = true;
    Logs(const ClassRows& rows, std::span<const std::int64_t> totals, std::int64_t total, const XLogs& logs)
        : classes_(rows.classes),
          weights_(rows.weights),
          totals_(totals.data()),
          total_(total),
          xlog_(logs.values),
          unit_(logs.unit),
          n_classes_(static_cast<int>(totals.size())),
          sum_(logs.values[total]) {
        count_in(rows.counts);
    }
    void count_in(std::vector<std::int64_t>& counts) {
        counts.assign(n_classes_, 0);
        counts_ = counts.data();
    }
    void add(std::uint32_t row) { move(classes_[row], Weighted ? weights_[row] : 1); }
    void add_counts(const std::int64_t* counts) {
        for (int k = 0; k < n_classes_; ++k)
            if (counts[k] != 0) move(k, counts[k]);
    }
    void write(CutScratch& s, std::int32_t at) const { s.first[at] = sum_ - xlog_[weight_] - xlog_[total_ - weight_]; }
    bool allows(const MinSize& min_size) const {
        if constexpr (!Weighted) return true;
        return weight_ >= min_size.weight && total_ - weight_ >= min_size.weight;
    }
    double base() const { return 0.0; }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        best_of(LogScores{unit_}, CutSums{s.first, s.first, s.rows, s.score}, count, tolerance, best);
    }

  private:
    void move(int k, std::int64_t w) {
        const std::int64_t before = counts_[k], after = before + w, rest = totals_[k] - after;
        sum_ += xlog_[after] - xlog_[before] + xlog_[rest] - xlog_[rest + w];
        counts_[k] = after;
        weight_ += w;
    }
    const std::uint16_t* classes_;
    const std::int64_t* weights_;
    const std::int64_t* totals_;
    std::int64_t total_;
    const std::int64_t* xlog_;
    double unit_;
    std::int64_t* counts_;
    int n_classes_;
    std::int64_t sum_, weight_ = 0;  // minus the sum over the classes of the node, so that a cut of gain 0 scores 0
};

}  // namespace hornbeam
