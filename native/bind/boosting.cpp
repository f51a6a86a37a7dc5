// Python's door to boosting: a booster is made from a plan of plain values and arrays; each run gives back its trees.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "boosting/booster.hpp"

namespace nb = nanobind;
using namespace hornbeam;

namespace {

BoostRows rows_of(const nb::dict& given) {
    BoostRows out;
    out.n = nb::cast<std::int64_t>(given["n_rows"]);
    out.columns = bind::columns_of(nb::cast<nb::list>(given["columns"]), out.n);
    const auto numbers = [&](const char* name, std::vector<double>& to, bool is_any_length) {
        if (!given.contains(name)) return;
        const auto typed = nb::cast<bind::Array<double>>(given[name], false);
        if (!is_any_length && static_cast<std::int64_t>(typed.size()) != out.n)
            throw nb::value_error("arrays differ in length");
        to.assign(typed.data(), typed.data() + typed.size());
    };
    numbers("target", out.target, false);
    numbers("weights", out.weights, false);
    numbers("scores", out.scores, true);
    return out;
}

BoostSettings settings_of(const nb::dict& given) {
    BoostSettings out;
    int loss = 0;
    bind::take(given, "loss", loss);
    out.loss = static_cast<Loss>(loss);
    bind::take(given, "q", out.q);
    bind::take(given, "n_classes", out.n_classes);
    bind::take(given, "curvature", out.curvature);
    bind::take(given, "rate", out.rate);
    bind::take(given, "rows_per_tree", out.rows_per_tree);
    bind::take(given, "bins", out.bins);
    bind::take(given, "threads", out.threads);
    bind::take(given, "first_round", out.first_round);
    bind::take(given, "patience", out.patience);
    bind::take(given, "least", out.least);
    bind::take(given, "watch", out.watch);
    bind::take(given, "base", out.base);
    bind::take(given, "l1", out.regular.l1);
    bind::take(given, "l2", out.regular.l2);
    bind::take(given, "categorical_l2", out.regular.categorical_l2);
    bind::take(given, "categorical_smoothing", out.regular.categorical_smoothing);
    bind::take(given, "gamma", out.regular.gamma);
    bind::take(given, "min_hessian", out.regular.min_hessian);
    bind::take(given, "min_rows", out.regular.min_rows);
    bind::take(given, "min_weighted_rows", out.regular.min_weighted_rows);
    bind::take(given, "monotone", out.regular.monotone);
    bind::take(given, "max_depth", out.limits.max_depth);
    bind::take(given, "max_leaves", out.limits.max_leaves);
    bind::take(given, "best_first", out.limits.best_first);
    bind::take(given, "columns_per_tree", out.limits.columns_per_tree);
    bind::take(given, "columns_per_node", out.limits.columns_per_node);
    bind::take(given, "together", out.limits.together);
    bind::take(given, "seed", out.limits.seed);
    return out;
}

class Handle {
  public:
    explicit Handle(const nb::dict& given) {
        BoostSettings settings = settings_of(given);
        BoostRows rows = rows_of(nb::cast<nb::dict>(given["rows"])), held_out;
        if (given.contains("held_out")) held_out = rows_of(nb::cast<nb::dict>(given["held_out"]));
        bind::call_core([&](Stop& stop) {
            booster_ = std::make_unique<Booster>(std::move(settings), std::move(rows), std::move(held_out), stop);
        });
    }

    std::vector<double> base() const { return booster_->base(); }

    nb::dict run(std::int64_t rounds) {
        Boosted made;
        bind::call_core([&](Stop& stop) { made = booster_->run(rounds, stop); });
        nb::dict nodes, questions, out;
        Grown& g = made.grown;
        nodes["parent"] = bind::owned(std::move(g.parent));
        nodes["first_child"] = bind::owned(std::move(g.first_child));
        nodes["n_branches"] = bind::owned(std::move(g.n_branches));
        nodes["question"] = bind::owned(std::move(g.question));
        nodes["missing_branch"] = bind::owned(std::move(g.missing_branch));
        nodes["depth"] = bind::owned(std::move(g.depth));
        nodes["reason"] = bind::owned(std::move(g.reason));
        nodes["rows"] = bind::owned(std::move(g.rows));
        nodes["weight"] = bind::owned(std::move(g.weight));
        nodes["stats"] = bind::owned(std::move(g.stats), 3);
        nodes["answer"] = bind::owned(std::move(made.value));
        nodes["impurity"] = bind::owned(std::move(g.impurity));
        nodes["gain"] = bind::owned(std::move(g.gain));
        nodes["score"] = bind::owned(std::move(g.score));
        questions["kind"] = bind::owned(std::move(g.question_kind));
        questions["encoding"] = bind::owned(std::move(g.encoding));
        questions["column"] = bind::owned(std::move(g.column));
        questions["first"] = bind::owned(std::move(made.first));
        questions["missing_answer"] = bind::owned(std::move(made.missing_answer));
        questions["whole_start"] = bind::owned(std::move(made.whole_start));
        questions["reals_start"] = bind::owned(std::move(made.reals_start));
        questions["whole"] = bind::owned(std::move(g.whole));
        questions["reals"] = bind::owned(std::move(g.reals));
        out["nodes"] = nodes;
        out["questions"] = questions;
        out["node_start"] = bind::owned(std::move(made.node_start));
        out["question_start"] = bind::owned(std::move(made.question_start));
        out["training_loss"] = bind::owned(std::move(made.training_loss));
        out["held_out_loss"] = bind::owned(std::move(made.held_out_loss));
        out["rounds"] = made.rounds;
        out["has_stopped"] = made.has_stopped;
        return out;
    }

  private:
    std::unique_ptr<Booster> booster_;
};

}  // namespace

void register_boosting(nb::module_& m) {
    nb::class_<Handle>(m, "Booster", "Trees added one after the other on a table held as bins.")
        .def(nb::init<const nb::dict&>(), nb::arg("plan"), "Put the rows of a plan into bins.")
        .def_prop_ro("base", &Handle::base, "The scores before the first round, one an output.")
        .def("run", &Handle::run, nb::arg("rounds"), "At most so many more rounds: arrays of their trees.");
}
