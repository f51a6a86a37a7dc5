// Python bindings of growing: a job as a dict of parts and arrays in, the arrays of a tree out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/growth.hpp"
#include "core/fixed.hpp"
#include "core/question_kinds.hpp"
#include "growing/drop_derived.hpp"
#include "growing/grower.hpp"
#include "parts/registry.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

Target target_of(DictReader& given, std::int64_t n_rows, bool is_fractional) {
    Target target;
    if (const nb::handle weights = given.find("weights")) target.given_weights = data_of<double>(weights, n_rows);
    set_weights(target, target.given_weights, n_rows, is_fractional);
    const nb::handle classes = given.find("classes");
    if (!classes) {
        set_numbers(target, data_of<double>(given.get("numbers"), n_rows), n_rows);
        return target;
    }
    const auto* codes = data_of<std::int32_t>(classes, n_rows);
    target.n_classes = nb::cast<int>(given.get("n_classes"));
    target.classes.resize(n_rows);
    for (std::int64_t i = 0; i < n_rows; ++i) {
        if (codes[i] < 0 || codes[i] >= target.n_classes)
            throw nb::value_error("Class codes must be between 0 and n_classes - 1.");
        target.classes[i] = static_cast<std::uint16_t>(codes[i]);
    }
    given.take("class_scale", target.class_scale);
    return target;
}

// A question: the branch of every row, its columns, its cost, whether it tests if a value is missing.
GivenQuestion given_question(nb::handle item, std::int64_t n_rows) {
    const auto fields = nb::cast<nb::tuple>(item);
    GivenQuestion out;
    out.branch = data_of<std::int8_t>(fields[0], n_rows);
    out.columns = nb::cast<std::vector<std::int32_t>>(fields[1]);
    out.cost = nb::cast<double>(fields[2]);
    out.tests_missing = nb::cast<bool>(fields[3]);
    return out;
}

std::vector<GivenQuestion> given_questions(const nb::handle given, std::int64_t n_rows) {
    std::vector<GivenQuestion> out;
    if (!given) return out;
    for (const nb::handle item : nb::cast<nb::list>(given)) {
        out.push_back(given_question(item, n_rows));
        out.back().place = static_cast<std::int32_t>(out.size()) - 1;
    }
    return out;
}

// The first questions of both branches are behind the fields of a question.
void read_first_questions(const nb::handle given, Plan& plan) {
    if (!given) return;
    for (const nb::handle item : nb::cast<nb::list>(given)) {
        FirstQuestion first{given_question(item, plan.n_rows)};
        first.question.place = static_cast<std::int32_t>(plan.given.list.size() + plan.given.first.size());
        first.below = {nb::cast<std::int32_t>(item[4]), nb::cast<std::int32_t>(item[5])};
        plan.given.first.push_back(std::move(first));
    }
}

}  // namespace

Plan bind::plan_of(const nb::dict& dict) {
    DictReader given(dict, "job");
    const MethodParts parts = method_parts_of(nb::cast<nb::dict>(given.get("parts")));
    bool has_missing = true;
    given.take("has_missing", has_missing);
    Plan plan = plan_of_parts(parts, has_missing);
    plan.n_rows = nb::cast<std::int64_t>(given.get("n_rows"));
    plan.columns = job_columns_of(nb::cast<nb::list>(given.get("columns")), plan.n_rows);
    plan.target = target_of(given, plan.n_rows, plan.missing.is_fractional);
    plan.given.list = given_questions(given.find("questions"), plan.n_rows);
    read_first_questions(given.find("first_questions"), plan);
    given.take("zero_gain", plan.criterion.zero_gain);
    given.take("column_cost", plan.column_cost);
    given.take("split_penalty", plan.split_penalty);
    given.take("competitors", plan.competitors);
    given.take("max_features", plan.max_features);
    given.take("seed", plan.seed);
    given.take("tree", plan.tree);
    given.take("threads", plan.threads);
    given.check_all_read();
    return plan;
}

nb::dict bind::arrays_of(Grown&& grown) {
    nb::dict nodes, questions, out;
    // Empty arrays were dropped because they can be derived from others.
    const auto add = [](nb::dict& to, const char* name, auto& values) {
        if (!values.empty()) to[name] = owned(std::move(values));
    };
    add(nodes, "parent", grown.parent);
    add(nodes, "first_child", grown.first_child);
    add(nodes, "n_branches", grown.n_branches);
    add(nodes, "question", grown.question);
    add(nodes, "missing_branch", grown.missing_branch);
    add(nodes, "depth", grown.depth);
    add(nodes, "reason", grown.reason);
    add(nodes, "rows", grown.rows);
    std::visit([&](auto& values) { add(nodes, "rows", values); }, grown.row_counts);
    add(nodes, "weight", grown.weight);
    if (!grown.stats.empty()) nodes["stats"] = owned(std::move(grown.stats), grown.width);
    const auto add_counts = [&](auto& values) {
        if (!values.empty()) nodes["stats"] = owned(std::move(values), grown.width);
    };
    std::visit(add_counts, grown.counts);
    add(nodes, "impurity", grown.impurity);
    add(nodes, "gain", grown.gain);
    add(nodes, "score", grown.score);
    add(nodes, "answer", grown.prediction);
    add(nodes, "surrogate_start", grown.surrogate_start);
    add(nodes, "surrogate_question", grown.surrogate_question);
    add(nodes, "surrogate_flipped", grown.surrogate_flipped);
    add(nodes, "surrogate_agree", grown.surrogate_agree);
    add(nodes, "surrogate_adjusted", grown.surrogate_adjusted);
    add(nodes, "competitor_start", grown.competitor_start);
    add(nodes, "competitor_question", grown.competitor_question);
    add(nodes, "competitor_gain", grown.competitor_gain);
    add(nodes, "competitor_score", grown.competitor_score);
    questions["column"] = owned(std::move(grown.column));
    questions["reals"] = owned(std::move(grown.reals));
    if (!grown.reals_start.empty()) {
        // The outcome of a missing value is undefined, except for questions of the kind IS_MISSING.
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

nb::dict grow_tree(const nb::dict& given) {
    const Plan plan = plan_of(given);
    Grown grown = call_core([&](Stop& stop) { return grow(plan, stop); });
    drop_derived(grown, plan.target.is_class());
    return arrays_of(std::move(grown));
}

}  // namespace

void register_growing(nb::module_& m) {
    m.def("grow", &grow_tree, "job"_a, "Grow one tree for a job; returns the arrays of its nodes and questions.");
}
