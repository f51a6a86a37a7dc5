// The registry of strategies for missing values.
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

void read_nothing(Settings&, Plan&) {}

void read_route(Settings& given, Plan& plan) { plan.missing.stays = given.choice("route", {"majority", "stay"}) == 1; }

// With the scope global the caller has imputed the values.
void read_impute(Settings& given, Plan& plan) {
    const int method = given.choice("method", {"mean", "median", "mode"});
    if (given.choice("scope", {"global", "node"}) == 1) plan.missing.impute = static_cast<ImputeBy>(method + 1);
}

// The test statistic belongs to the method inference, which has no kernel (without_kernel.cpp).
void read_surrogates(Settings& given, Plan& plan) {
    plan.missing.surrogates = given.whole("max_surrogates", 5);
    given.choice("method", {"agreement", "inference"});
    given.choice("teststat", {"quadratic", "maximum"});
    plan.missing.surrogates_of_known = given.choice("style", {"all", "known"}) == 1;
    read_route(given, plan);
}

constexpr std::array STRATEGIES{
    RegisteredPart{"drop_rows", read_nothing},  // the caller has dropped the rows
    RegisteredPart{"error", read_nothing},
    RegisteredPart{"fractional", [](Settings&, Plan& plan) { plan.missing.is_fractional = true; }},
    RegisteredPart{"impute", read_impute},
    RegisteredPart{"learned", [](Settings&, Plan& plan) { plan.missing.mode = MissingMode::either; }},
    RegisteredPart{"own_branch", [](Settings&, Plan& plan) { plan.missing.mode = MissingMode::branch; }},
    RegisteredPart{"skip_column", read_route},
    RegisteredPart{"surrogates", read_surrogates},
};

}  // namespace

Registry missing_parts() { return STRATEGIES; }

}  // namespace hornbeam
