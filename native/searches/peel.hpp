// Peel: the distance of target values from their quantile while rows are removed one by one. The rows are a linked list
// in the order of their targets; the quantile is a position in it that moves by a step or two per removal. The sums on
// both sides are integers:
//
//   risk = scale (tau (sum above - weight above q) + (1 - tau) (weight below q - sum below))
//
// All cuts of a column are scored by two passes: the rows left of the cuts remain if rows are removed from the end, the
// rows right of them if rows are removed from the beginning.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/portable.hpp"
#include "criteria/quantile.hpp"

namespace hornbeam {

struct PeelLink {
    std::uint32_t before = 0, after = 0;
    std::int64_t value = 0;
};

// `Weighted`: rows have weights other than one unit, and sums need twice the width.
template <bool Weighted>
class Peel {
  public:
    using Sum = std::conditional_t<Weighted, Wide, std::int64_t>;

    // The rows whose mark is set (all if there are no marks), in the order of their targets.
    Peel(const QuantileRule& rule, const std::vector<std::int64_t>& values, const std::vector<std::int64_t>& weights,
         const std::vector<char>& is_included, std::vector<PeelLink>& links)
        : rule_(rule), weights_(weights.data()) {
        const auto n = static_cast<std::uint32_t>(values.size());
        links.resize(n + 2);  // positions 1 to n; 0 and n + 1 are the ends
        links_ = links.data();
        end_ = n + 1;
        std::uint32_t last = 0;
        for (std::uint32_t i = 1; i <= n; ++i) {
            if (!is_included.empty() && !is_included[i - 1]) continue;
            links_[i].value = values[i - 1];
            links_[i].before = last;
            links_[last].after = i;
            last = i;
            weight_ += weight_of(i);
            sum_ += product(i);
        }
        links_[last].after = end_;
        links_[end_].before = last;
        step_forward();
        move_to_quantile();
    }

    // Removes the row of a rank; ranks start at 0.
    void remove(std::uint32_t rank) {
        const std::uint32_t at = rank + 1;
        const PeelLink link = links_[at];
        weight_ -= weight_of(at);
        sum_ -= product(at);
        if (at <= here_) {
            below_ -= weight_of(at);
            sum_below_ -= product(at);
        }
        links_[link.before].after = link.after;
        links_[link.after].before = link.before;
        if (at == here_) {
            here_ = link.before;
            if (here_ == 0) step_forward();
        }
        if (weight_ > 0) move_to_quantile();
    }

    std::int64_t weight() const { return weight_; }
    std::uint32_t rank() const { return here_ - 1; }  // of the quantile
    // In units of weight times value.
    double risk() const {
        const Sum middle = links_[here_].value;
        const Sum up = (sum_ - sum_below_) - middle * (weight_ - below_);
        const Sum down = middle * below_ - sum_below_;
        return rule_.scale * (rule_.tau * static_cast<double>(up) + (1 - rule_.tau) * static_cast<double>(down));
    }

  private:
    std::int64_t weight_of(std::uint32_t at) const {
        if constexpr (Weighted) return weights_[at - 1];
        return 1;
    }
    Sum product(std::uint32_t at) const { return static_cast<Sum>(links_[at].value) * weight_of(at); }
    void step_forward() {
        here_ = links_[here_].after;
        if (here_ == end_) return;
        below_ += weight_of(here_);
        sum_below_ += product(here_);
    }
    // Moves to the first position at which the cumulative weight reaches the quantile.
    void move_to_quantile() {
        const double wanted = rule_.wanted(static_cast<double>(weight_));
        while (static_cast<double>(below_) < wanted && links_[here_].after != end_) step_forward();
        while (links_[here_].before != 0 && static_cast<double>(below_ - weight_of(here_)) >= wanted) {
            below_ -= weight_of(here_);
            sum_below_ -= product(here_);
            here_ = links_[here_].before;
        }
    }

    QuantileRule rule_;
    const std::int64_t* weights_;
    PeelLink* links_ = nullptr;
    std::uint32_t here_ = 0, end_ = 0;
    std::int64_t weight_ = 0, below_ = 0;  // of all rows; of those up to the quantile, inclusive
    Sum sum_ = 0, sum_below_ = 0;
};

}  // namespace hornbeam
