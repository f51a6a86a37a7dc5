// Where is the best cut of one column at one node?  A single pass over the node's rows in the column's order collects
// the statistics left of every candidate (between two different ranks); a second, vectorised pass scores them.
//
// One kernel a family of criteria: `Moments` (two classes by Gini, numbers by squared error), `Squares` (many classes
// by Gini), `Logs` (entropy, from a table of x log x in fixed point), `AnyCriterion` (all others). A kernel adds one
// row at a time and writes what its score needs; all sums are integers, so the result does not depend on the order of
// equal ranks.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "criteria/criterion.hpp"
#include "searches/cut.hpp"

namespace hornbeam {

// An entry of a sorted list packs rank and row into one word: 16 + 16 bits in small blocks of rows, 32 + 32 in large
// ones.
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

// Runs a kernel over `known` entries in order; returns the best cut, its score in the kernel's own unit.
// `differs` may bar more cuts than those between equal ranks (C4.5 asks for a gap of 1e-5).
template <class Entry, class Kernel, class Differs>
Cut best_cut(const Entry* list, std::int32_t known, Kernel& kernel, const Least& least, double tolerance,
             CutScratch& scratch, const Differs& differs) {
    Cut best;
    const auto low = static_cast<std::int32_t>(std::max<std::int64_t>(least.rows, 1));
    if (known < 2 * low) return best;
    const double base = best.score = kernel.base();
    const auto judge = [&](std::int32_t count) {
        Cut of_batch{best.score, -1, 0};
        kernel.finish(scratch, count, tolerance, of_batch);
        best.tried += count;
        if (of_batch.at >= 0) best.score = of_batch.score, best.at = scratch.at[of_batch.at];
    };
    std::int32_t i = 0;
    for (; i < low - 1; ++i) kernel.add(row_of(list[i]));
    Entry next = list[i];
    while (i < known - low) {
        std::int32_t count = 0;
        for (const std::int32_t end = std::min(known - low, i + CutScratch::BATCH); i < end; ++i) {
            const Entry here = next;
            next = list[i + 1];
            kernel.add(row_of(here));
            if constexpr (!Kernel::is_cheap)
                if (rank_of(here) == rank_of(next)) continue;
            kernel.write(scratch, count, i + 1);
            scratch.at[count] = i + 1;
            count += (rank_of(here) != rank_of(next)) & kernel.allows(least) & differs(here, next);
        }
        judge(count);
    }
    best.score -= base;
    return best;
}

// Two classes by Gini, or numbers by squared error. Weights of one unit a row unless `Weighted`.
template <class Value, bool Weighted>
class Moments {
  public:
    static constexpr bool is_cheap = true;
    Moments(const Value* values, const std::int64_t* weights, std::int64_t centre, double total, double mean)
        : values_(values), weights_(weights), centre_(centre), total_(total), mean_(mean) {}
    void add(std::uint32_t row) {
        if constexpr (Weighted) {
            sum_ += static_cast<std::int64_t>(values_[row]) - centre_ * weights_[row];
            weight_ += weights_[row];
        } else {
            sum_ += static_cast<std::int64_t>(values_[row]) - centre_;
        }
    }
    // A whole code at once: (weights of both classes), or (weight, sum).
    void add_counts(const std::int64_t* counts) {
        constexpr bool IS_CLASS = std::is_same_v<Value, std::uint8_t>;
        sum_ += counts[1] - (IS_CLASS ? 0 : centre_ * counts[0]);
        weight_ += counts[0];
    }
    void write(CutScratch& s, std::int32_t at, std::int32_t rows) const {
        s.first[at] = static_cast<double>(sum_);
        s.weight[at] = Weighted ? static_cast<double>(weight_) : rows;
    }
    bool allows(const Least& least) const {
        if constexpr (!Weighted) return true;
        return weight_ >= least.weight && total_ - static_cast<double>(weight_) >= static_cast<double>(least.weight);
    }
    double base() const { return 0.0; }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        best_of_moments(s.first, s.weight, s.score, count, total_, mean_, tolerance, best);
    }

  private:
    const Value* values_;
    const std::int64_t* weights_;
    std::int64_t centre_;
    double total_, mean_;
    std::int64_t sum_ = 0, weight_ = 0;
};

// Many classes by Gini: squares_L grows by w (2 c + w); squares_R = sum T^2 - 2 sum T c + squares_L.
template <bool Weighted>
class Squares {
  public:
    static constexpr bool is_cheap = true;
    Squares(const std::uint16_t* classes, const std::int64_t* weights, const std::int64_t* totals, int n_classes,
            std::int64_t total, std::vector<std::int64_t>& counts)
        : classes_(classes), weights_(weights), totals_(totals), total_(total), counts_(counts) {
        counts_.assign(n_classes, 0);
        for (int k = 0; k < n_classes; ++k) squares_ += totals[k] * totals[k];
    }
    void add(std::uint32_t row) {
        const int k = classes_[row];
        const std::int64_t w = Weighted ? weights_[row] : 1;
        left_ += w * (2 * counts_[k] + w);
        counts_[k] += w;
        cross_ += w * totals_[k];
        if constexpr (Weighted) weight_ += w;
    }
    void add_counts(const std::int64_t* counts) {
        const auto n = static_cast<int>(counts_.size());
        std::int64_t* mine = counts_.data();
        for (int k = 0; k < n; ++k) {
            left_ += counts[k] * (2 * mine[k] + counts[k]);
            mine[k] += counts[k];
            cross_ += counts[k] * totals_[k];
            weight_ += counts[k];
        }
    }
    void write(CutScratch& s, std::int32_t at, std::int32_t rows) const {
        s.first[at] = static_cast<double>(left_);
        s.second[at] = static_cast<double>(squares_ - 2 * cross_ + left_);
        s.weight[at] = Weighted ? static_cast<double>(weight_) : rows;
    }
    bool allows(const Least& least) const {
        if constexpr (!Weighted) return true;
        return weight_ >= least.weight && total_ - weight_ >= least.weight;
    }
    double base() const { return static_cast<double>(squares_) / static_cast<double>(total_); }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        best_of_squares(s.first, s.second, s.weight, s.score, count, static_cast<double>(total_), tolerance, best);
    }

  private:
    const std::uint16_t* classes_;
    const std::int64_t* weights_;
    const std::int64_t* totals_;
    std::int64_t total_;
    std::vector<std::int64_t>& counts_;
    std::int64_t squares_ = 0, left_ = 0, cross_ = 0, weight_ = 0;
};

// Entropy: score = sum over sides of (sum_k x log x of its classes) - x log x of the side, in fixed point.
template <bool Weighted>
class Logs {
  public:
    static constexpr bool is_cheap = true;
    Logs(const std::uint16_t* classes, const std::int64_t* weights, const std::int64_t* totals, int n_classes,
         std::int64_t total, const std::int64_t* xlog, double unit, std::vector<std::int64_t>& counts)
        : classes_(classes),
          weights_(weights),
          totals_(totals),
          total_(total),
          xlog_(xlog),
          unit_(unit),
          counts_(counts) {
        counts_.assign(n_classes, 0);
        for (int k = 0; k < n_classes; ++k) right_ += xlog[totals[k]];
        whole_ = right_ - xlog[total];
    }
    void add(std::uint32_t row) {
        const int k = classes_[row];
        const std::int64_t w = Weighted ? weights_[row] : 1;
        const std::int64_t before = counts_[k], after = before + w, total = totals_[k];
        left_ += xlog_[after] - xlog_[before];
        right_ += xlog_[total - after] - xlog_[total - before];
        counts_[k] = after;
        if constexpr (Weighted) weight_ += w;
    }
    void add_counts(const std::int64_t* counts) {
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            if (counts[k] == 0) continue;
            const std::int64_t before = counts_[k], after = before + counts[k], total = totals_[k];
            left_ += xlog_[after] - xlog_[before];
            right_ += xlog_[total - after] - xlog_[total - before];
            counts_[k] = after;
            weight_ += counts[k];
        }
    }
    void write(CutScratch& s, std::int32_t at, std::int32_t rows) const {
        const std::int64_t w = Weighted ? weight_ : rows;
        s.score[at] = static_cast<double>(left_ + right_ - xlog_[w] - xlog_[total_ - w] - whole_) * unit_;
    }
    bool allows(const Least& least) const {
        if constexpr (!Weighted) return true;
        return weight_ >= least.weight && total_ - weight_ >= least.weight;
    }
    double base() const { return 0.0; }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        take_best(s.score, count, tolerance, best);
    }

  private:
    const std::uint16_t* classes_;
    const std::int64_t* weights_;
    const std::int64_t* totals_;
    std::int64_t total_;
    const std::int64_t* xlog_;
    double unit_;
    std::vector<std::int64_t>& counts_;
    std::int64_t left_ = 0, right_ = 0, whole_ = 0, weight_ = 0;
};

// Any criterion at all, from the statistics of both sides: K class weights, or (weight, sum).
class AnyCriterion {
  public:
    static constexpr bool is_cheap = false;
    struct Rows {
        const std::uint16_t* classes = nullptr;  // classes, or
        const std::int64_t* sums = nullptr;      // numbers
        const std::int64_t* weights = nullptr;   // null: one unit a row
    };
    // `totals` in units; `factor[k]` turns units into statistics (class scale and weight unit; numbers: weight, sum).
    AnyCriterion(const Criterion& criterion, const Rows& rows, const std::vector<std::int64_t>& totals,
                 const std::vector<double>& factor, double unknown, double weight_total)
        : criterion_(criterion),
          rows_(rows),
          totals_(totals),
          factor_(factor),
          unknown_(unknown),
          total_(weight_total),
          counts_(totals.size(), 0),
          parent_(totals.size()),
          sides_(2 * totals.size()) {
        for (std::size_t k = 0; k < totals.size(); ++k) parent_[k] = static_cast<double>(totals[k]) * factor[k];
    }
    void add(std::uint32_t row) {
        const std::int64_t w = rows_.weights ? rows_.weights[row] : 1;
        weight_ += w;
        if (rows_.classes) {
            counts_[rows_.classes[row]] += w;
        } else {
            counts_[0] += w;
            counts_[1] += rows_.sums[row];
        }
    }
    void add_counts(const std::int64_t* counts) {
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            counts_[k] += counts[k];
            if (rows_.classes || k == 0) weight_ += counts[k];
        }
    }
    void write(CutScratch& s, std::int32_t at, std::int32_t) {
        const std::size_t width = counts_.size();
        for (std::size_t k = 0; k < width; ++k) {
            sides_[k] = static_cast<double>(counts_[k]) * factor_[k];
            sides_[width + k] = static_cast<double>(totals_[k] - counts_[k]) * factor_[k];
        }
        s.score[at] = criterion_.score({parent_.data(), sides_.data(), 2, static_cast<int>(width), unknown_});
    }
    bool allows(const Least& least) const {
        return weight_ >= least.weight && total_ - static_cast<double>(weight_) >= static_cast<double>(least.weight);
    }
    double base() const { return 0.0; }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
        take_best(s.score, count, tolerance, best);
    }

  private:
    const Criterion& criterion_;
    Rows rows_;
    const std::vector<std::int64_t>& totals_;
    const std::vector<double>& factor_;
    double unknown_, total_;
    std::vector<std::int64_t> counts_;
    std::vector<double> parent_, sides_;
    std::int64_t weight_ = 0;
};

}  // namespace hornbeam
