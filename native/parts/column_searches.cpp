// The registry of searches: of cuts, intervals and levels of one column, and of questions about many columns.
#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

void read_cut(Settings& given, Plan& plan) {
    plan.cuts.is_used = true;
    plan.cuts.at_data = given.choice("cut", {"midpoint", "data"}) == 1;
}

void read_sorted_cuts(Settings& given, Plan& plan) {
    read_cut(given, plan);
    plan.cuts.c45_size = given.choice("min_size", {"min_leaf", "c45"}) == 1;
}

void read_boundary_points(Settings& given, Plan& plan) {
    read_cut(given, plan);
    plan.cuts.at_boundaries = true;
}

void read_binned_cuts(Settings& given, Plan& plan) {
    plan.cuts.is_used = true;
    plan.cuts.bins = static_cast<int>(given.whole("bins", 255));
}

void read_random_pairs(Settings& given, Plan& plan) {
    plan.cuts.is_used = true;
    plan.cuts.pairs = given.whole("pairs", 100);
}

void read_random_cuts(Settings&, Plan& plan) { plan.cuts.is_used = plan.cuts.random = true; }

void read_intervals(Settings& given, Plan& plan) {
    plan.cuts.is_used = true;
    plan.cuts.intervals_by_mdlp = given.choice("method", {"gain_ratio", "mdlp"}) == 1;
    plan.cuts.intervals = static_cast<int>(given.whole("max_intervals", 4));
}

template <LevelSearchPointer (*make)()>
void read_levels(Settings&, Plan& plan) {
    plan.levels = make();
}

void read_all_subsets(Settings& given, Plan& plan) {
    plan.levels = all_subsets_search(static_cast<int>(given.whole_or_none("size_limit").value_or(0)));
}

void read_best_subset(Settings& given, Plan& plan) {
    const auto try_all = static_cast<int>(given.whole("try_all", 12));
    plan.levels = best_subset_search(try_all, given.flag("every_set", false));
}

void read_level_vs_rest(Settings& given, Plan& plan) {
    const bool by_ratio = given.choice("method", {"score", "ratio"}) == 1;
    plan.levels = level_vs_rest_search(by_ratio, given.choice("every", {"present", "declared"}) == 1);
}

void read_multiway(Settings& given, Plan& plan) {
    MultiwaySettings settings;
    settings.declared = given.choice("every", {"present", "declared"}) == 1;
    settings.once_per_path = given.flag("once_per_path", true);
    settings.allows_zero_gain = given.flag("allow_zero_gain", false);
    plan.levels = multiway_search(settings);
}

void read_many_levels(Settings& given, Plan& plan) {
    ManyLevels rule;
    rule.many = static_cast<int>(given.whole("many", rule.many));
    rule.few = given.real("few", rule.few);
    rule.min_level_weight = given.real("min_level_weight", rule.min_level_weight);
    rule.shrinkage = given.real("shrinkage", rule.shrinkage);
    rule.penalizes_sets = given.flag("penalize_sets", rule.penalizes_sets);
    plan.levels = many_levels_search(rule);
}

void read_random_subsets(Settings& given, Plan& plan) {
    plan.levels = random_subsets_search(static_cast<int>(given.whole("n_sets", 100)));
}

void read_superclasses(Settings& given, Plan& plan) {
    plan.levels = superclasses_search(given.choice("method", {"twoing", "criterion"}) == 1);
}

void read_lookahead(Settings& given, Plan& plan) {
    plan.lookahead = given.choice("when", {"stuck", "always"}) == 1 ? Lookahead::always : Lookahead::stuck;
    plan.lookahead_quantiles = given.whole("quantiles", 32);
}

void read_is_missing(Settings&, Plan& plan) { plan.missing.is_tested = true; }

constexpr std::array SEARCHES{
    RegisteredPart{"all_subsets", read_all_subsets, SearchRole::levels},
    RegisteredPart{"best_subset", read_best_subset, SearchRole::levels},
    RegisteredPart{"binned_cuts", read_binned_cuts, SearchRole::cuts},
    RegisteredPart{"boundary_points", read_boundary_points, SearchRole::cuts},
    RegisteredPart{"c45_groups", read_levels<c45_groups_search>, SearchRole::levels},
    RegisteredPart{"chou", read_levels<chou_search>, SearchRole::levels},
    RegisteredPart{"intervals", read_intervals, SearchRole::intervals},
    RegisteredPart{"is_missing", read_is_missing},
    RegisteredPart{"level_vs_rest", read_level_vs_rest, SearchRole::levels},
    RegisteredPart{"lookahead", read_lookahead, SearchRole::lookahead},
    RegisteredPart{"many_levels", read_many_levels, SearchRole::levels},
    RegisteredPart{"multiway", read_multiway, SearchRole::levels},
    RegisteredPart{"ordered_categories", read_levels<ordered_categories_search>, SearchRole::levels},
    RegisteredPart{"random_cuts", read_random_cuts, SearchRole::cuts},
    RegisteredPart{"random_pairs", read_random_pairs, SearchRole::cuts},
    RegisteredPart{"random_subsets", read_random_subsets, SearchRole::levels},
    RegisteredPart{"sorted_cuts", read_sorted_cuts, SearchRole::cuts},
    RegisteredPart{"superclasses", read_superclasses, SearchRole::levels},
};

}  // namespace

Registry column_search_parts() { return SEARCHES; }

}  // namespace hornbeam
