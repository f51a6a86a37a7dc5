// AnyStatistic: one of the statistics that the core has, and what searches ask of cells. A new statistic is added to
// the list. Loops over rows take the statistic out of it with `std::visit` first.
#pragma once

#include <variant>
#include <vector>

#include "statistics/class_weights.hpp"
#include "statistics/number_sums.hpp"
#include "statistics/several_sums.hpp"

namespace hornbeam {

template <Statistic... All>
using OneOf = std::variant<All...>;

class AnyStatistic : public OneOf<ClassWeights, NumberSums, SeveralSums> {
  public:
    using variant::variant;

    int width() const {
        return std::visit([](const auto& each) { return each.width(); }, list());
    }
    bool is_class() const {
        return std::visit([](const auto& each) { return each.is_class; }, list());
    }
    std::vector<std::int64_t> empty_cell() const { return std::vector<std::int64_t>(width(), 0); }
    std::int64_t weight(const std::int64_t* cell) const {
        return std::visit([&](const auto& each) { return each.weight(cell); }, list());
    }
    double mass(const std::int64_t* cell) const {
        return std::visit([&](const auto& each) { return each.mass(cell); }, list());
    }
    void add_real(const std::int64_t* cell, const std::int64_t* center, double* out) const {
        std::visit([&](const auto& each) { each.add_real(cell, center, out); }, list());
    }

  private:
    const variant& list() const { return *this; }
};

}  // namespace hornbeam
