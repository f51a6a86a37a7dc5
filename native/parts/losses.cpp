// The registry of losses of numeric targets: what a leaf predicts.
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

constexpr std::array LOSSES{
    RegisteredPart{"absolute", [](Settings&, Plan& plan) { plan.criterion.leaf_quantile = 0.5; }},
    RegisteredPart{"pinball",
                   [](Settings& given, Plan& plan) { plan.criterion.leaf_quantile = given.real("tau", 0.5); }},
    // The caller shrinks the means.
    RegisteredPart{"poisson", [](Settings& given, Plan&) { given.real("shrink", 0.0); }},
    RegisteredPart{"squared", [](Settings&, Plan&) {}},
};

}  // namespace

Registry loss_parts() { return LOSSES; }

}  // namespace hornbeam
