// The registry of stops.
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

constexpr std::array STOPS{
    RegisteredPart{"eta", [](Settings& given, Plan& plan) { plan.stops.eta = given.whole("rows", 5); }},
    RegisteredPart{"max_depth", [](Settings& given, Plan& plan) { plan.stops.max_depth = given.whole("depth", 30); }},
    RegisteredPart{"max_leaves",
                   [](Settings& given, Plan& plan) { plan.stops.max_leaves = given.whole("leaves", 31); }},
    RegisteredPart{"max_nodes", [](Settings& given, Plan& plan) { plan.stops.max_nodes = given.whole("nodes", 61); }},
    RegisteredPart{"min_decrease",
                   [](Settings& given, Plan& plan) { plan.stops.min_decrease = given.real("decrease", 0.0); }},
    RegisteredPart{"min_gain", [](Settings& given, Plan& plan) { plan.stops.min_gain = given.real("beta", 0.0); }},
    RegisteredPart{"min_leaf",
                   [](Settings& given, Plan& plan) {
                       plan.stops.min_leaf = given.whole("rows", 1);
                       plan.stops.min_leaf_weight = given.real("weight", 0.0);
                   }},
    RegisteredPart{"min_split",
                   [](Settings& given, Plan& plan) {
                       plan.stops.min_split = given.whole("rows", 2);
                       plan.stops.min_split_weight = given.real("weight", 0.0);
                   }},
    RegisteredPart{"no_improvement", [](Settings&, Plan&) {}},  // always applies
    RegisteredPart{"pure", [](Settings&, Plan& plan) { plan.stops.splits_pure = false; }},
    RegisteredPart{"purity", [](Settings& given, Plan& plan) { plan.stops.purity = given.real("pi", 0.95); }},
    RegisteredPart{"same_vectors", [](Settings&, Plan& plan) { plan.stops.same_vectors = true; }},
};

}  // namespace

Registry stop_parts() { return STOPS; }

}  // namespace hornbeam
