// Tests of parts as values: registries, settings, errors, combinations without a kernel.
#include <set>

#include "parts/errors.hpp"
#include "parts/registry.hpp"
#include "parts/without_kernel.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

MethodParts usual_parts() {
    return {{"criterion", "gini", {}},
            {"missing", "skip_column", {}},
            {"order", "depth_first", {}},
            {{"search", "sorted_cuts", {}}, {"search", "best_subset", {}}},
            {{"stop", "pure", {}}, {"stop", "min_leaf", {{"rows", std::int64_t{3}}}}},
            std::nullopt};
}

GrowthFacts facts_of(bool has_missing) {
    GrowthFacts facts;
    facts.n_rows = 10;
    facts.n_classes = 2;
    facts.has_missing = has_missing;
    facts.distinct_targets = [] { return std::int64_t{2}; };
    return facts;
}

template <class Error>
Error caught(const MethodParts& parts) {
    try {
        plan_of_parts(parts, true);
    } catch (const Error& error) {
        return error;
    }
    throw std::runtime_error("no such error was thrown");
}

}  // namespace

TEST("every part of a registry has a name of its own, and reads its defaults") {
    for (const PartType& type : part_types()) {
        std::set<std::string> names;
        for (const Registry& registry : type.registries)
            for (const RegisteredPart& part : registry) {
                CHECK(names.insert(part.name).second);
                std::set<std::string> keys;
                for (const auto& [key, usual] : defaults_of(type.name, part)) CHECK(keys.insert(key).second);
            }
        CHECK(!names.empty());
    }
}

TEST("a plan has what its parts say, and nothing else") {
    const Plan plan = plan_of_parts(usual_parts(), true);
    CHECK(plan.criterion.name == "gini" && plan.cuts.is_used && plan.levels && !plan.is_multiway());
    CHECK(plan.stops.min_leaf == 3 && plan.stops.min_split == 2 && !plan.stops.splits_pure);
    CHECK(plan.stops.max_depth == StopRules{}.max_depth);
}

TEST("strategies that count missing values change nothing in a table without them") {
    MethodParts parts = usual_parts();
    parts.missing.name = "learned";
    CHECK(plan_of_parts(parts, true).missing.mode == MissingMode::either);
    CHECK(plan_of_parts(parts, false).missing.mode == MissingMode::apart);
}

TEST("an error has the part, the key and the known names") {
    MethodParts parts = usual_parts();
    parts.criterion.name = "giny";
    CHECK(caught<UnknownPart>(parts).known.size() > 5);
    parts = usual_parts();
    parts.stops[1].settings = {{"row", std::int64_t{3}}};
    const auto unknown = caught<UnknownSetting>(parts);
    CHECK(unknown.name == "min_leaf" && unknown.key == "row" && unknown.known.size() == 2);
    parts.stops[1].settings = {{"rows", std::string("three")}};
    CHECK(caught<BadSetting>(parts).part_type == "stop");
}

TEST("a combination without a kernel is named") {
    MethodParts parts = usual_parts();
    CHECK(without_kernel(parts, facts_of(true)).empty());
    parts.searches[0].name = "random_cuts";
    parts.missing.name = "learned";
    CHECK(without_kernel(parts, facts_of(true)).empty());
    parts.searches.push_back({"search", "boundary_points", {}});
    CHECK(without_kernel(parts, facts_of(true)) == "the search boundary_points");
    parts.order.name = "by_hand";
    CHECK(without_kernel(parts, facts_of(true)) == "the order by_hand");
}
