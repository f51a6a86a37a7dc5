// Python's door to growth: a plan as a dict of plain values and arrays in, the arrays of a tree out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/growth.hpp"
#include "core/fixed.hpp"
#include "growing/grower.hpp"
#include "growing/leave_out.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

constexpr std::int8_t IS_MISSING = 4;  // its number in KIND_NAMES of tree/questions/base.py

Target target_of(const nb::dict& given, std::int64_t n_rows) {
    Target target;
    const double* weights = given.contains("weights") ? data_of<double>(given["weights"], n_rows) : nullptr;
    target.given_weights = weights;
    set_weights(target, weights, n_rows, given.contains("shares") && nb::cast<bool>(given["shares"]));
    if (given.contains("classes")) {
        const auto* classes = data_of<std::int32_t>(given["classes"], n_rows);
        target.n_classes = nb::cast<int>(given["n_classes"]);
        target.classes.resize(n_rows);
        for (std::int64_t i = 0; i < n_rows; ++i) {
            if (classes[i] < 0 || classes[i] >= target.n_classes) throw nb::value_error("a class lies outside");
            target.classes[i] = static_cast<std::uint16_t>(classes[i]);
        }
        take(given, "class_scale", target.class_scale);
    } else {
        set_numbers(target, data_of<double>(given["numbers"], n_rows), n_rows);
    }
    return target;
}

std::vector<ManyPlan> many_of(const nb::dict& given) {
    std::vector<ManyPlan> out;
    if (!given.contains("many")) return out;
    for (const nb::handle item : nb::cast<nb::list>(given["many"])) {
        const auto parts = nb::cast<nb::tuple>(item);
        ManyPlan one{nb::cast<std::string>(parts[0]), {}};
        for (const auto [key, value] : nb::cast<nb::dict>(parts[1]))
            one.settings[nb::cast<std::string>(key)] = nb::cast<double>(value);
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace

Plan bind::plan_of(const nb::dict& given) {
    Plan plan;
    plan.n_rows = nb::cast<std::int64_t>(given["n_rows"]);
    plan.columns = columns_of(nb::cast<nb::list>(given["columns"]), plan.n_rows);
    plan.target = target_of(given, plan.n_rows);
    take(given, "criterion", plan.criterion);
    take(given, "quantile", plan.quantile);
    take(given, "quantile_scale", plan.quantile_scale);
    take(given, "leaf_quantile", plan.leaf_quantile);
    take(given, "c45", plan.c45);
    take(given, "c45_by_gain", plan.c45_by_gain);
    take(given, "admits_zero", plan.admits_zero);
    take(given, "zero_gain", plan.zero_gain);
    take(given, "cuts", plan.cuts);
    take(given, "bins", plan.bins);
    take(given, "cut_at_data", plan.cut_at_data);
    take(given, "random_cuts", plan.random_cuts);
    take(given, "boundaries", plan.boundaries);
    take(given, "pairs", plan.pairs);
    take(given, "intervals", plan.intervals);
    take(given, "intervals_by_mdlp", plan.intervals_by_mdlp);
    take(given, "intervals_beside", plan.intervals_beside);
    take_number(given, "nominal", plan.nominal);
    take(given, "size_limit", plan.size_limit);
    take(given, "try_all", plan.try_all);
    take(given, "criterion_chooses", plan.criterion_chooses);
    take(given, "by_ratio", plan.by_ratio);
    take(given, "tries", plan.tries);
    take(given, "many_levels", plan.most_levels);
    take(given, "few", plan.few);
    take(given, "min_level_weight", plan.min_level_weight);
    take(given, "shrinkage", plan.shrinkage);
    take(given, "toll", plan.toll);
    take(given, "same_vectors", plan.same_vectors);
    take(given, "once_per_path", plan.once_per_path);
    take(given, "declared_levels", plan.declared_levels);
    take_number(given, "lookahead", plan.lookahead);
    take(given, "lookahead_quantiles", plan.lookahead_quantiles);
    take(given, "column_cost", plan.column_cost);
    take(given, "price", plan.price);
    take(given, "splits_pure", plan.splits_pure);
    plan.many = many_of(given);
    take(given, "min_split", plan.min_split);
    take(given, "min_leaf", plan.min_leaf);
    take(given, "eta", plan.eta);
    take(given, "min_split_weight", plan.min_split_weight);
    take(given, "min_leaf_weight", plan.min_leaf_weight);
    take(given, "max_depth", plan.max_depth);
    take(given, "max_leaves", plan.max_leaves);
    take(given, "max_nodes", plan.max_nodes);
    take(given, "purity", plan.purity);
    take(given, "min_gain", plan.min_gain);
    take(given, "min_decrease", plan.min_decrease);
    take_number(given, "order", plan.order);
    take_number(given, "holes", plan.holes);
    take_number(given, "fill", plan.fill);
    take(given, "shares", plan.shares);
    take(given, "surrogates", plan.surrogates);
    take(given, "surrogates_of_known", plan.surrogates_of_known);
    take(given, "competitors", plan.competitors);
    take(given, "missing_stays", plan.missing_stays);
    take(given, "max_features", plan.max_features);
    take(given, "seed", plan.seed);
    take(given, "tree", plan.tree);
    take(given, "threads", plan.threads);
    return plan;
}

nb::dict bind::arrays_of(Grown&& grown) {
    nb::dict nodes, questions, out;
    // An array that was left out is not handed over.
    const auto give = [](nb::dict& to, const char* name, auto& values) {
        if (!values.empty()) to[name] = owned(std::move(values));
    };
    give(nodes, "parent", grown.parent);
    give(nodes, "first_child", grown.first_child);
    give(nodes, "n_branches", grown.n_branches);
    give(nodes, "question", grown.question);
    give(nodes, "missing_branch", grown.missing_branch);
    give(nodes, "depth", grown.depth);
    give(nodes, "reason", grown.reason);
    give(nodes, "rows", grown.rows);
    std::visit([&](auto& values) { give(nodes, "rows", values); }, grown.row_counts);
    give(nodes, "weight", grown.weight);
    if (!grown.stats.empty()) nodes["stats"] = owned(std::move(grown.stats), grown.width);
    const auto give_counts = [&](auto& values) {
        if (!values.empty()) nodes["stats"] = owned(std::move(values), grown.width);
    };
    std::visit(give_counts, grown.counts);
    give(nodes, "impurity", grown.impurity);
    give(nodes, "gain", grown.gain);
    give(nodes, "score", grown.score);
    give(nodes, "answer", grown.answer);
    give(nodes, "surrogate_start", grown.surrogate_start);
    give(nodes, "surrogate_question", grown.surrogate_question);
    give(nodes, "surrogate_flipped", grown.surrogate_flipped);
    give(nodes, "surrogate_agree", grown.surrogate_agree);
    give(nodes, "surrogate_adjusted", grown.surrogate_adjusted);
    give(nodes, "competitor_start", grown.competitor_start);
    give(nodes, "competitor_question", grown.competitor_question);
    give(nodes, "competitor_gain", grown.competitor_gain);
    give(nodes, "competitor_score", grown.competitor_score);
    questions["column"] = owned(std::move(grown.column));
    questions["reals"] = owned(std::move(grown.reals));
    if (!grown.reals_start.empty()) {
        // Rows without a value answer nothing unless the question is whether there is one.
        const std::size_t n_questions = grown.question_kind.size();
        std::vector<std::int32_t> first(n_questions, 0), missing_answer(n_questions, -1);
        for (std::size_t i = 0; i < n_questions; ++i)
            if (grown.question_kind[i] == IS_MISSING) first[i] = 1, missing_answer[i] = 0;
        questions["first"] = owned(std::move(first));
        questions["missing_answer"] = owned(std::move(missing_answer));
        questions["name"] = owned(std::vector<std::int32_t>(n_questions, -1));
        questions["kind"] = owned(std::move(grown.question_kind));
        questions["encoding"] = owned(std::move(grown.encoding));
        questions["whole_start"] = owned(std::move(grown.whole_start));
        questions["reals_start"] = owned(std::move(grown.reals_start));
        questions["whole"] = owned(std::move(grown.whole));
    }
    out["nodes"] = nodes;
    out["questions"] = questions;
    return out;
}

namespace {

// Columns made ready; the arrays that the plan points to are kept alive.
struct KeptPrepared {
    nb::list arrays;
    std::unique_ptr<Prepared> prepared;
};

void prepare(KeptPrepared* self, const nb::dict& given) {
    const Plan plan = bind::plan_of(given);
    std::unique_ptr<Prepared> prepared;
    bind::call_core([&](Stop& stop) { prepared = std::make_unique<Prepared>(plan, stop); });
    new (self) KeptPrepared{nb::cast<nb::list>(given["columns"]), std::move(prepared)};
}

bool same_arrays(const nb::list& one, const nb::list& other) {
    if (one.size() != other.size()) return false;
    for (std::size_t i = 0; i < one.size(); ++i)
        if (!nb::cast<nb::tuple>(one[i])[1].is(nb::cast<nb::tuple>(other[i])[1])) return false;
    return true;
}

nb::dict grow_tree(const nb::dict& given, const KeptPrepared* kept) {
    const Plan plan = bind::plan_of(given);
    if (kept && !same_arrays(kept->arrays, nb::cast<nb::list>(given["columns"])))
        throw nb::value_error("the plan is about other columns than those that were prepared");
    if (kept && !kept->prepared->suits(plan)) throw nb::value_error("the columns were prepared for another plan");
    Grown grown;
    bind::call_core([&](Stop& stop) { grown = grow(plan, stop, kept ? kept->prepared.get() : nullptr); });
    leave_out(grown, plan.target.is_class());
    return bind::arrays_of(std::move(grown));
}

}  // namespace

void register_growing(nb::module_& m) {
    nb::class_<KeptPrepared>(m, "Prepared", "Columns made ready once, for many growths on the same rows.")
        .def("__init__", &prepare, nb::arg("plan"), "The columns of a plan, ranked and coded.");
    m.def("grow", &grow_tree, nb::arg("plan"), nb::arg("prepared").none() = nb::none(),
          "Grow one tree: a plan in, arrays of nodes and questions out.");
}
