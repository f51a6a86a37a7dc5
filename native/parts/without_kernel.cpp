// The list of combinations without a kernel (without_kernel.hpp). Each entry names a combination in general terms, and
// has a function that returns the text that users read, or an empty text if the method does not have the combination.
#include "parts/without_kernel.hpp"

#include <array>

#include "parts/combination.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t MOST_CLASSES = 65'535, MOST_ROWS = (std::int64_t{1} << 31) - 1;
// Numbers in the distributions of a column's levels over all targets.
constexpr std::int64_t MOST_DISTRIBUTIONS = std::int64_t{1} << 26;

std::string the_search(const PartValue* search) { return "the search " + search->name; }

std::string unknown_loss(const Combination& method) {
    return method.plan.criterion.name.empty() ? "the criterion " + method.criterion() : "";
}

std::string imputed_many(const Combination& method) {
    const bool is_refused =
        method.missing() == "impute" || (method.missing() == "fractional" && method.facts.has_missing);
    const PartValue* many = method.search(SearchRole::many_columns);
    return is_refused && many ? method.strategy() + " with " + many->name : "";
}

// Only the caller knows the branch of values that no row has.
std::string imputed_and_given(const Combination& method) {
    if (method.plan.missing.fill == FillBy::nothing) return "";
    const std::string strategy = method.strategy() + " at each node with ";
    if (method.facts.has_first_question) return strategy + "first_question";
    return method.search(SearchRole::given) ? strategy + "custom_questions" : "";
}

std::string inferred_surrogates(const Combination& method) {
    return has_text(method.parts.missing, "method", "inference") ? method.strategy() + " by inference" : "";
}

std::string scored_missing_and_groups(const Combination& method) {
    return method.scores_missing() && method.search({"c45_groups"}) ? method.strategy() + " with c45_groups" : "";
}

std::string quantile_and_search(const Combination& method) {
    if (!method.measures_quantile()) return "";
    const PartValue* many = method.search(SearchRole::many_columns);
    return many ? the_search(many) + method.with_criterion() : "";
}

std::string quantile_and_missing(const Combination& method) {
    return method.measures_quantile() && method.scores_missing() ? method.strategy() + method.with_criterion() : "";
}

std::string quantile_of_many_levels(const Combination& method) {
    const std::int64_t levels = method.facts.n_levels;
    if (!method.measures_quantile() || levels * method.facts.n_rows <= MOST_DISTRIBUTIONS) return "";
    if (levels * method.facts.distinct_targets() <= MOST_DISTRIBUTIONS) return "";
    return "a column of " + std::to_string(levels) + " levels" + method.with_criterion();
}

std::string many_and_c45(const Combination& method) {
    const PartValue* many = method.search(SearchRole::many_columns);
    return many && method.plan.criterion.c45 ? the_search(many) + method.with_criterion() : "";
}

// Searches that read where the best single column sends missing values.
std::string many_and_missing(const Combination& method) {
    const PartValue* found = nullptr;
    if (method.scores_missing() || method.missing() == "surrogates")
        found = method.search({"kd_median", "pca_median", "two_means", "ball"});
    if (method.scores_missing() && !found) found = method.search({"conjunctions"});
    if (method.scores_missing() && method.missing() == "own_branch" && !found)
        found = method.search({"chou_plane", "oc1_plane"});
    return found ? the_search(found) + " with " + method.strategy() : "";
}

// The literals of conjunctions are questions of sorted_cuts and of best_subset as it is by default.
std::string conjunctions_and_others(const Combination& method) {
    if (!method.search({"conjunctions"})) return "";
    const auto is_used = [&](const PartValue& search) {
        return (search.name == "sorted_cuts" && !method.plan.cuts.c45_size) ||
               (search.name == "best_subset" && method.plan.levels.try_all == 12);
    };
    for (const SearchRole role : {SearchRole::cuts, SearchRole::intervals, SearchRole::levels})
        for (int i = 0; const PartValue* search = method.search(role, i); ++i)
            if (!is_used(*search)) return "the search conjunctions with " + search->name;
    return "";
}

std::string lookahead_and_criterion(const Combination& method) {
    const bool is_refused = is_in(method.criterion(), {"c45", "poisson"}) || method.measures_quantile();
    return method.search({"lookahead"}) && is_refused ? "the search lookahead" + method.with_criterion() : "";
}

std::string lookahead_and_missing(const Combination& method) {
    const bool is_simple = is_in(method.missing(), {"skip_column", "drop_rows", "error"});
    const bool is_refused = method.search({"lookahead"}) && method.facts.has_missing && !is_simple;
    return is_refused ? "the search lookahead with " + method.strategy() : "";
}

std::string lookahead_and_sampling(const Combination& method) {
    const bool is_alone = method.search({"lookahead"}) && !method.plan.cuts.is_used;
    return is_alone && method.facts.samples_columns ? "the search lookahead without cuts, with max_features" : "";
}

std::string lookahead_and_others(const Combination& method) {
    if (!method.search({"lookahead"})) return "";
    for (std::size_t i = 0; i < method.roles.size(); ++i) {
        const std::string& name = method.parts.searches[i].name;
        const bool is_grouping = method.roles[i] == SearchRole::levels && !is_in(name, {"multiway", "c45_groups"});
        if (!is_grouping && !is_in(name, {"sorted_cuts", "lookahead"})) return "the search lookahead with " + name;
    }
    return method.plan.cuts.at_data ? "the search lookahead with cuts at \"data\"" : "";
}

std::string intervals_and_quantile(const Combination& method) {
    const bool is_refused = method.search({"intervals"}) && method.measures_quantile();
    return is_refused ? "the search intervals" + method.with_criterion() : "";
}

std::string intervals_and_imputation(const Combination& method) {
    const bool is_refused = method.search({"intervals"}) && method.plan.missing.fill != FillBy::nothing;
    return is_refused ? "the search intervals with " + method.strategy() + " at each node" : "";
}

std::string intervals_and_search(const Combination& method) {
    if (!method.search({"intervals"})) return "";
    const PartValue* cuts = method.search(SearchRole::cuts);
    if (!cuts) return "";
    const std::string both = "the search intervals with " + cuts->name;
    if (cuts->name != "sorted_cuts" && cuts->name != "boundary_points") return both;
    return method.scores_missing() ? both + " and " + method.strategy() : "";
}

std::string two_searches_of_a_kind(const Combination& method) {
    for (const SearchRole role : {SearchRole::cuts, SearchRole::levels})
        if (const PartValue* second = method.search(role, 1)) return the_search(second);
    return "";
}

// A random set of levels competes with what another search finds; "is it missing?" competes with both at once.
std::string levels_and_random_cuts(const Combination& method) {
    const PartValue* levels = method.search(SearchRole::levels);
    if (!levels || !method.plan.cuts.random) return "";
    const std::string both = the_search(levels) + " with random_cuts";
    if (method.search({"multiway", "c45_groups"})) return both;
    return method.scores_missing() ? both + " and " + method.strategy() : "";
}

std::string ratio_and_missing(const Combination& method) {
    if (!method.plan.levels.by_ratio || !method.scores_missing()) return "";
    return "the search level_vs_rest by ratio with " + method.strategy();
}

std::string too_large(const Combination& method) {
    const bool is_refused = method.facts.n_classes > MOST_CLASSES || method.facts.n_rows > MOST_ROWS;
    return is_refused ? "a table of this size" : "";
}

struct Refusal {
    const char* what;
    std::string (*text)(const Combination&);
};

// In the order in which they are checked.
constexpr std::array REFUSALS{
    Refusal{"the criterion `loss_decrease` of the loss `cost_matrix` or `poisson`, or of a loss of another package",
            unknown_loss},
    Refusal{"`impute`, or `fractional` with missing values, with a search of many columns", imputed_many},
    Refusal{"`impute` at each node with `custom_questions` or `first_question`", imputed_and_given},
    Refusal{"`surrogates` with `method = \"inference\"`", inferred_surrogates},
    Refusal{"missing values with `learned` or `own_branch`, with `c45_groups`", scored_missing_and_groups},
    Refusal{"a criterion of quantiles with a search of many columns", quantile_and_search},
    Refusal{"a criterion of quantiles with missing values and `learned` or `own_branch`", quantile_and_missing},
    Refusal{"a criterion of quantiles with more than 2^26 pairs of a level and a target value",
            quantile_of_many_levels},
    Refusal{"a search of many columns with the criterion `c45`", many_and_c45},
    Refusal{"`surrogates`, or missing values with `learned` or `own_branch`, with `kd_median`, `pca_median`, "
            "`two_means` or `ball`; missing values with `learned` or `own_branch`, with `conjunctions`; with "
            "`own_branch`, also with `chou_plane` or `oc1_plane`",
            many_and_missing},
    Refusal{"`conjunctions` with another search of one column than `sorted_cuts` and `best_subset` with its defaults",
            conjunctions_and_others},
    Refusal{"`lookahead` with the criterion `c45` or `poisson`, or with a criterion of quantiles",
            lookahead_and_criterion},
    Refusal{"`lookahead` with missing values and another strategy than `skip_column`", lookahead_and_missing},
    Refusal{"`lookahead` without a search of cuts, with `max_features`", lookahead_and_sampling},
    Refusal{"`lookahead` with cuts at `data`, or with another search than `sorted_cuts` and searches of level sets",
            lookahead_and_others},
    Refusal{"`intervals` with a criterion of quantiles", intervals_and_quantile},
    Refusal{"`intervals` with `impute` at each node", intervals_and_imputation},
    Refusal{"`intervals` with other cuts than `sorted_cuts` and "
            "`boundary_points` at midpoints; with cuts at `data` and `competitors`; with cuts, missing values and "
            "`learned` or `own_branch`",
            intervals_and_search},
    Refusal{"two searches of cuts, or two searches of levels", two_searches_of_a_kind},
    Refusal{
        "`multiway` or `c45_groups` with `random_cuts`; other searches of levels with `random_cuts`, missing values "
        "and `learned` or `own_branch`",
        levels_and_random_cuts},
    Refusal{"`level_vs_rest` by ratio with missing values and `learned` or `own_branch`", ratio_and_missing},
    Refusal{"a table of more than 65,535 classes or 2^31 - 1 rows", too_large},
};

std::string label_of(const PartValue& part) {
    const std::string type = part.part_type == "missing" ? "missing-value strategy" : part.part_type;
    return "the " + type + " " + part.name;
}

// The first part that no registry has.
std::string unregistered(const MethodParts& parts) {
    std::vector<const PartValue*> all{&parts.criterion, &parts.missing};
    if (parts.loss) all.push_back(&*parts.loss);
    all.push_back(&parts.order);
    for (const PartValue& stop : parts.stops) all.push_back(&stop);
    for (const PartValue& search : parts.searches) all.push_back(&search);
    const auto found = std::find_if(all.begin(), all.end(), [](const PartValue* part) { return !find_part(*part); });
    return found == all.end() ? "" : label_of(**found);
}

}  // namespace

std::string without_kernel(const MethodParts& parts, const GrowthFacts& facts) {
    std::string found = unregistered(parts);
    if (!found.empty()) return found;
    const Combination method(parts, facts);
    for (const Refusal& refusal : REFUSALS) {
        found = refusal.text(method);
        if (!found.empty()) return found;
    }
    return "";
}

std::vector<std::string> combinations_without_kernel() {
    std::vector<std::string> out;
    for (const Refusal& refusal : REFUSALS) out.push_back(refusal.what);
    return out;
}

}  // namespace hornbeam
