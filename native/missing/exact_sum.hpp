// What do numbers sum to, rounded only once?  Shewchuk's partials: doubles that do not overlap and whose sum is exact,
// so that neither order nor threads can change a bit; math.fsum of the plain twin gives the same double.
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
    // x as often as `times` says: the product is added without rounding.
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
        // Half a unit in the last place: what is left below decides the rounding.
        if (left > 0 && low != 0.0 && (low < 0.0) == (partials_[left - 1] < 0.0)) {
            const double twice = 2 * low, moved = high + twice;
            if (moved - high == twice) high = moved;
        }
        return high;
    }

  private:
    std::vector<double> partials_;
};

// The same double at the speed of a plain sum, but where it cannot be told: what every addition rounds away is summed
// beside, and the rounding of that sum is bounded.
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
    // Whether everything within the bound is rounded to one double; sums that are not finite never are.
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
