// The registry of stops.
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

constexpr std::array STOPS{
    RegisteredPart{"eta", [](Settings& given, Plan& plan) { plan.eta = given.whole("rows", 5); }},
    RegisteredPart{"max_depth", [](Settings& given, Plan& plan) { plan.max_depth = given.whole("depth", 30); }},
    RegisteredPart{"max_leaves", [](Settings& given, Plan& plan) { plan.max_leaves = given.whole("leaves", 31); }},
    RegisteredPart{"max_nodes", [](Settings& given, Plan& plan) { plan.max_nodes = given.whole("nodes", 61); }},
    RegisteredPart{"min_decrease",
                   [](Settings& given, Plan& plan) { plan.min_decrease = given.real("decrease", 0.0); }},
    RegisteredPart{"min_gain", [](Settings& given, Plan& plan) { plan.min_gain = given.real("beta", 0.0); }},
    RegisteredPart{"min_leaf",
                   [](Settings& given, Plan& plan) {
                       plan.min_leaf = given.whole("rows", 1);
                       plan.min_leaf_weight = given.real("weight", 0.0);
                   }},
    RegisteredPart{"min_split",
                   [](Settings& given, Plan& plan) {
                       plan.min_split = given.whole("rows", 2);
                       plan.min_split_weight = given.real("weight", 0.0);
                   }},
    RegisteredPart{"no_improvement", [](Settings&, Plan&) {}},  // always applies
    RegisteredPart{"pure", [](Settings&, Plan& plan) { plan.splits_pure = false; }},
    RegisteredPart{"purity", [](Settings& given, Plan& plan) { plan.purity = given.real("pi", 0.95); }},
    RegisteredPart{"same_vectors", [](Settings&, Plan& plan) { plan.same_vectors = true; }},
};

}  // namespace

Registry stop_parts() { return STOPS; }

}  // namespace hornbeam
