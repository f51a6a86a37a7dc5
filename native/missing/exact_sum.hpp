// ExactSum: the sum of doubles, rounded once (Shewchuk's partials: non-overlapping doubles whose sum is exact). It is
// independent of order and threads, and equals math.fsum of the reference implementation.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hornbeam {

class ExactSum {
  public:
    void add(double x) {
        std::size_t kept = 0;
        for (double partial : partials_) {
            if (std::fabs(x) < std::fabs(partial)) std::swap(x, partial);
            const double high = x + partial, low = partial - (high - x);
            if (low != 0.0) partials_[kept++] = low;
            x = high;
        }
        partials_.resize(kept);
        if (x != 0.0) partials_.push_back(x);
    }
    // Adds x * times without rounding.
    void add(double x, double times) {
        const double product = x * times;
        add(product);
        if (std::isfinite(product)) add(std::fma(x, times, -product));
    }
    double rounded() const {
        if (partials_.empty()) return 0.0;
        std::size_t left = partials_.size() - 1;
        double high = partials_[left], low = 0.0;
        while (left > 0 && low == 0.0) {
            const double before = high, next = partials_[--left];
            high = before + next;
            low = next - (high - before);
        }
        // Half a unit in the last place: the remaining partials decide the rounding.
        if (left > 0 && low != 0.0 && (low < 0.0) == (partials_[left - 1] < 0.0)) {
            const double twice = 2 * low, moved = high + twice;
            if (moved - high == twice) high = moved;
        }
        return high;
    }

  private:
    std::vector<double> partials_;
};

// The same double at the speed of a simple sum, unless the rounding is undecided: the rounding errors of all additions
// are summed, too, with a bound of the error of that sum.
class QuickSum {
  public:
    void add(double x) {
        const double next = sum_ + x, part = next - sum_;
        const double away = (sum_ - (next - part)) + (x - part);
        sum_ = next;
        away_ += away;
        size_ += std::fabs(away);
        ++count_;
    }
    // Whether all sums within the bound round to the same double; false for sums that are not finite.
    bool is_sure(double& rounded) const {
        const double bound = 2.0 * (static_cast<double>(count_) + 2.0) * UNIT * size_;
        rounded = sum_ + away_;
        return rounded == sum_ + (away_ - bound) && rounded == sum_ + (away_ + bound);
    }

  private:
    static constexpr double UNIT = 0x1p-53;
    double sum_ = 0.0, away_ = 0.0, size_ = 0.0;
    std::int64_t count_ = 0;
};

}  // namespace hornbeam
