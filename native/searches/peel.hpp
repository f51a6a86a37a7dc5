// How far do the numbers of a set lie from their quantile while rows are taken away one by one?  The rows stand in the
// order of their numbers, linked to their neighbours; the quantile is a place among them that moves by a step or two
// when a row goes. What lies on both sides is kept as whole numbers:
//
//   risk = scale (tau (sum above - weight above q) + (1 - tau) (weight below q - sum below))
//
// Left of the cuts of a column are the rows that stay when others go from the end, right of them those that stay when
// others go from the beginning: every cut is judged by two such walks.
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

// `Weighted`: rows weigh more than one unit, and sums need twice the width.
template <bool Weighted>
class Peel {
  public:
    using Sum = std::conditional_t<Weighted, Wide, std::int64_t>;

    // The rows whose mark is set (all where there are no marks), in the order of their numbers.
    Peel(const QuantileRule& rule, const std::vector<std::int64_t>& values, const std::vector<std::int64_t>& weights,
         const std::vector<char>& is_here, std::vector<PeelLink>& links)
        : rule_(rule), weights_(weights.data()) {
        const auto n = static_cast<std::uint32_t>(values.size());
        links.resize(n + 2);  // places 1 to n; 0 and n + 1 are the ends
        links_ = links.data();
        end_ = n + 1;
        std::uint32_t last = 0;
        for (std::uint32_t i = 1; i <= n; ++i) {
            if (!is_here.empty() && !is_here[i - 1]) continue;
            links_[i].value = values[i - 1];
            links_[i].before = last;
            links_[last].after = i;
            last = i;
            weight_ += weight_of(i);
            sum_ += product(i);
        }
        links_[last].after = end_;
        links_[end_].before = last;
        step_on();
        settle();
    }

    // Takes the row of a rank away; ranks count from 0.
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
            if (here_ == 0) step_on();
        }
        if (weight_ > 0) settle();
    }

    std::int64_t weight() const { return weight_; }
    std::uint32_t place() const { return here_ - 1; }  // the rank of the quantile
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
    void step_on() {
        here_ = links_[here_].after;
        if (here_ == end_) return;
        below_ += weight_of(here_);
        sum_below_ += product(here_);
    }
    // The first place up to which the weight reaches the level.
    void settle() {
        const double wanted = rule_.wanted(static_cast<double>(weight_));
        while (static_cast<double>(below_) < wanted && links_[here_].after != end_) step_on();
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
    std::int64_t weight_ = 0, below_ = 0;  // all; up to and with the quantile
    Sum sum_ = 0, sum_below_ = 0;
};

}  // namespace hornbeam
