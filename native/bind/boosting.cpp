// Python bindings of boosting: a booster is created from a plan (settings and arrays); each run returns its trees.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/growth.hpp"
#include "boosting/booster.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace hornbeam::bind {

BoostSettings boost_settings_of(DictReader& given) {
    BoostSettings out;
    given.take_enum("loss", out.loss);
    given.take("q", out.q);
    given.take("n_classes", out.n_classes);
    given.take("curvature", out.curvature);
    given.take("rate", out.rate);
    given.take("rows_per_tree", out.rows_per_tree);
    given.take("bins", out.bins);
    given.take("threads", out.threads);
    given.take("first_round", out.first_round);
    given.take("patience", out.early_stopping_rounds);
    given.take("least", out.min_improvement);
    given.take("watch", out.record_loss);
    given.take("base", out.base);
    given.take("l1", out.regular.l1);
    given.take("l2", out.regular.l2);
    given.take("categorical_l2", out.regular.categorical_l2);
    given.take("categorical_smoothing", out.regular.categorical_smoothing);
    given.take("gamma", out.regular.gamma);
    given.take("min_hessian", out.regular.min_hessian);
    given.take("min_rows", out.regular.min_rows);
    given.take("min_weighted_rows", out.regular.min_weighted_rows);
    given.take("monotone", out.regular.monotone);
    out.joint.regular = out.regular;
    given.take("joint_classes", out.joint.classes);
    given.take("joint_period", out.joint.period);
    given.take("joint_l2", out.joint.regular.l2);
    given.take("joint_min_weighted_rows", out.joint.regular.min_weighted_rows);
    StopRules& stops = out.limits.stops;
    given.take("max_depth", stops.max_depth);
    given.take("max_leaves", stops.max_leaves);
    for (std::int64_t* limit : {&stops.max_depth, &stops.max_leaves})
        if (*limit < 0) *limit = NO_LIMIT;
    given.take("best_first", out.limits.best_first);
    given.take("columns_per_tree", out.limits.columns_per_tree);
    given.take("columns_per_node", out.limits.columns_per_node);
    given.take("min_columns_per_node", out.limits.min_columns_per_node);
    given.take("min_f", out.min_f);
    given.take("f_slope", out.f_slope);
    given.take("mean_weight", out.mean_weight);
    given.take("together", out.limits.column_groups);
    given.take("seed", out.limits.seed);
    return out;
}

nb::dict arrays_of(Boosted&& boosted) {
    nb::dict out = arrays_of(std::move(boosted.grown));
    out["node_start"] = owned(std::move(boosted.node_start));
    out["question_start"] = owned(std::move(boosted.question_start));
    out["training_loss"] = owned(std::move(boosted.training_loss));
    out["held_out_loss"] = owned(std::move(boosted.held_out_loss));
    out["rounds"] = boosted.rounds;
    out["has_stopped"] = boosted.has_stopped;
    return out;
}

}  // namespace hornbeam::bind

namespace {

BoostRows rows_of(nb::handle rows, const char* what) {
    BoostRows out;
    const auto dict = nb::cast<nb::dict>(rows);
    DictReader given(dict, what);
    out.n = nb::cast<std::int64_t>(given.get("n_rows"));
    for (const nb::handle column : nb::cast<nb::list>(given.get("columns")))
        out.columns.push_back(source_column(nb::cast<nb::tuple>(column), out.n));
    const auto numbers = [&](const char* name, std::vector<double>& to, bool is_any_length) {
        const nb::handle array = given.find(name);
        if (!array) return;
        const auto typed =
            is_any_length ? nb::cast<Array<double>>(array, false) : array_of_rows<Array<double>>(array, out.n);
        to.assign(typed.data(), typed.data() + typed.size());
    };
    numbers("target", out.target, false);
    numbers("weights", out.weights, false);
    numbers("scores", out.scores, true);
    given.check_all_read();
    return out;
}

void make_booster(Booster* self, const nb::dict& dict) {
    DictReader given(dict, "plan");
    BoostSettings settings = boost_settings_of(given);
    given.find("outputs");  // only the Python side uses it
    BoostRows rows = rows_of(given.get("rows"), "rows of the plan"), held_out;
    if (const nb::handle found = given.find("held_out")) held_out = rows_of(found, "held-out rows of the plan");
    given.check_all_read();
    call_core([&](Stop& stop) { new (self) Booster(std::move(settings), std::move(rows), std::move(held_out), stop); });
}

nb::dict run_rounds(Booster& booster, std::int64_t rounds) {
    return arrays_of(call_core([&](Stop& stop) { return booster.run(rounds, stop); }));
}

}  // namespace

void register_boosting(nb::module_& m) {
    nb::class_<Booster>(m, "Booster", "Adds trees one after the other to a model of a binned table.")
        .def("__init__", &make_booster, "plan"_a, "Bin the rows of a plan.")
        .def_prop_ro("base", &Booster::base, "The raw scores before the first round, one per output.")
        .def("run", &run_rounds, "rounds"_a,
             "Run at most the given number of further rounds; returns the arrays of their trees.");
}
