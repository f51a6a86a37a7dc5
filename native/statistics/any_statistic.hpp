// AnyStatistic: one of the statistics that the core has. A new one is added to this list.
#pragma once

#include <variant>

#include "statistics/class_weights.hpp"
#include "statistics/number_sums.hpp"
#include "statistics/several_sums.hpp"

namespace hornbeam {

template <Statistic... All>
using OneOf = std::variant<All...>;
using AnyStatistic = OneOf<ClassWeights, NumberSums, SeveralSums>;

}  // namespace hornbeam
