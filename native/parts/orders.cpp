// The registry of orders: which node is split next.
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

constexpr std::array ORDERS{
    RegisteredPart{"best_first", [](Settings&, Plan& plan) { plan.order = Order::best_first; }},
    RegisteredPart{"depth_first", [](Settings&, Plan& plan) { plan.order = Order::depth_first; }},
    RegisteredPart{"level_wise", [](Settings&, Plan& plan) { plan.order = Order::level_wise; }},
};

}  // namespace

Registry order_parts() { return ORDERS; }

}  // namespace hornbeam
