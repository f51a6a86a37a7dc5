// The registry of criteria; their kernels are in criteria/. A criterion made from a loss is another criterion, or the
// distance from a quantile:
//
//     absolute_error, loss_decrease absolute   2 (y - q) / 2 above, 2 (q - y) / 2 below;  q the median
//     loss_decrease pinball                    tau (y - q) above, (1 - tau) (q - y) below; q the tau-quantile
//     loss_decrease brier, log, squared        gini, entropy, squared_error
//     loss_decrease zero_one                   misclassification, with another divergence
//     loss_decrease cost_matrix                the expected cost of the best class
//     loss_decrease poisson                    poisson, also with branches without events
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

void measure_quantile(Plan& plan, double quantile, double scale) {
    plan.criterion.name = "quantile";
    plan.criterion.quantile = quantile;
    plan.criterion.scale = scale;
}

// Leaves the criterion empty for a loss that has no kernel.
void read_loss_decrease(Settings& given, Plan& plan) {
    const PartValue* loss = given.part("loss", "zero_one");
    plan.criterion.name.clear();
    if (!loss || loss->name == "zero_one") plan.criterion.name = "zero_one";
    if (!loss) return;
    Settings inner(*loss);
    if (loss->name == "brier") plan.criterion.name = "gini";
    if (loss->name == "log") plan.criterion.name = "entropy";
    if (loss->name == "squared") plan.criterion.name = "squared_error";
    if (loss->name == "poisson") plan.criterion.name = "poisson_loss";
    if (loss->name == "cost_matrix") {
        plan.criterion.name = "cost_matrix";
        plan.criterion.costs = inner.reals("costs");
    }
    if (loss->name == "absolute") measure_quantile(plan, 0.5, 2.0);
    if (loss->name == "pinball") measure_quantile(plan, inner.real("tau", 0.5), 1.0);
}

void read_named(Settings& given, Plan& plan) { plan.criterion.name = given.name(); }

constexpr std::array CRITERIA{
    RegisteredPart{"absolute_error", [](Settings&, Plan& plan) { measure_quantile(plan, 0.5, 2.0); }},
    RegisteredPart{"c45",
                   [](Settings& given, Plan& plan) {
                       plan.criterion.name = "c45";
                       plan.criterion.c45 = true;
                       plan.criterion.c45_by_gain = given.choice("method", {"ratio", "gain"}) == 1;
                   }},
    RegisteredPart{"cart_measure", read_named},
    RegisteredPart{"chi_square", read_named},
    RegisteredPart{"entropy", read_named},
    RegisteredPart{"gain_ratio", read_named},
    RegisteredPart{"gini", read_named},
    RegisteredPart{"hellinger", read_named},
    RegisteredPart{"loss_decrease", read_loss_decrease},
    RegisteredPart{"misclassification", read_named},
    RegisteredPart{"poisson", read_named},
    RegisteredPart{"squared_error", read_named},
    RegisteredPart{"two_class_variance", read_named},
    RegisteredPart{"twoing", read_named},
};

}  // namespace

Registry criterion_parts() { return CRITERIA; }

}  // namespace hornbeam
