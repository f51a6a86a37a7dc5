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

std::string first_question(const Combination& method) {
    return method.facts.has_first_question ? "first_question" : "";
}

std::string inferred_surrogates(const Combination& method) {
    return has_text(method.parts.missing, "method", "inference") ? method.strategy() + " by inference" : "";
}

std::string quantile_of_many_levels(const Combination& method) {
    const std::int64_t levels = method.facts.n_levels;
    if (!method.measures_quantile() || levels * method.facts.n_rows <= MOST_DISTRIBUTIONS) return "";
    if (levels * method.facts.distinct_targets() <= MOST_DISTRIBUTIONS) return "";
    return "a column of " + std::to_string(levels) + " levels" + method.with_criterion();
}

std::string bits_until_depth(const Combination& method) {
    const PartValue* search = method.search({"custom_questions"});
    return search && setting_of<std::int64_t>(*search, "until_depth") ? the_search(search) + " down to a depth" : "";
}

std::string bits_and_search(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    const PartValue* many = method.search(SearchRole::many_columns);
    const PartValue* other = many ? many : method.search({"random_cuts", "random_pairs", "random_subsets"});
    return bits && other ? the_search(bits) + " with " + other->name : "";
}

std::string bits_and_c45(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    return bits && method.plan.criterion.c45 ? the_search(bits) + method.with_criterion() : "";
}

std::string bits_and_missing(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    const bool is_refused = is_in(method.missing(), {"surrogates", "learned", "own_branch"});
    if (!bits || !(is_refused || method.plan.missing.fill != FillBy::nothing)) return "";
    return the_search(bits) + " with " + method.strategy() + (is_refused ? "" : " at each node");
}

std::string bits_and_sampling(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    return bits && method.facts.samples_columns ? the_search(bits) + " with max_features" : "";
}

// The core has a candidate per question, the reference implementation one of the whole list.
std::string list_and_competitors(const Combination& method) {
    const bool is_refused = method.search({"custom_questions"}) && method.facts.competitors > 0;
    return is_refused ? "the search custom_questions with competitors" : "";
}

std::string bits_of_no_column(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    return bits && method.facts.n_columns == 0 ? the_search(bits) + " of a table without missing values" : "";
}

// Columns that only bits are made of are not passed to the core.
std::string bits_and_same_vectors(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    const bool are_excluded = method.facts.n_columns - method.facts.n_bits < method.facts.n_table_columns;
    return bits && are_excluded && method.plan.stops.same_vectors ? the_search(bits) + " with the stop same_vectors"
                                                                  : "";
}

std::string lookahead_and_others(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    const PartValue* other = bits ? bits : method.search({"conjunctions"});
    return other && method.search({"lookahead"}) ? "the search lookahead with " + other->name : "";
}

std::string intervals_twice(const Combination& method) {
    return method.search(SearchRole::intervals, 1) ? "the search intervals" : "";
}

std::string intervals_and_bits(const Combination& method) {
    const PartValue* bits = method.search(SearchRole::bits);
    return bits && method.search({"intervals"}) ? "the search intervals with " + bits->name : "";
}

std::string two_searches_of_a_kind(const Combination& method) {
    for (const SearchRole role : {SearchRole::cuts, SearchRole::levels})
        if (const PartValue* second = method.search(role, 1)) return the_search(second);
    return "";
}

std::string other_min_size(const Combination& method) {
    const PartValue* cuts = method.search(SearchRole::cuts);
    if (!cuts || has_text(*cuts, "min_size", "c45") == method.plan.criterion.c45) return "";
    return the_search(cuts) + " with this min_size and the criterion " + method.criterion();
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
    Refusal{"`first_question`", first_question},
    Refusal{"the criterion `loss_decrease` of a loss of another package", unknown_loss},
    Refusal{"`surrogates` with `method = \"inference\"`", inferred_surrogates},
    Refusal{"a criterion of quantiles with more than 2^26 pairs of a level and a target value",
            quantile_of_many_levels},
    Refusal{"`custom_questions` with `until_depth`", bits_until_depth},
    Refusal{"`custom_questions` or `is_missing` with a search of many columns, `random_cuts`, `random_pairs` or "
            "`random_subsets`",
            bits_and_search},
    Refusal{"`custom_questions` or `is_missing` with the criterion `c45`", bits_and_c45},
    Refusal{"`custom_questions` or `is_missing` with `surrogates`, `learned`, `own_branch` or `impute` at each node",
            bits_and_missing},
    Refusal{"`custom_questions` or `is_missing` with `max_features`", bits_and_sampling},
    Refusal{"`custom_questions` with `competitors`", list_and_competitors},
    Refusal{"`is_missing` alone, for a table without missing values", bits_of_no_column},
    Refusal{"`custom_questions` or `is_missing` with `same_vectors`, for columns that no other search uses",
            bits_and_same_vectors},
    Refusal{"`lookahead` with `custom_questions`, `is_missing` or `conjunctions`", lookahead_and_others},
    Refusal{"`intervals` twice", intervals_twice},
    Refusal{"`intervals` with `custom_questions` or `is_missing`", intervals_and_bits},
    Refusal{"two searches of cuts, or two searches of levels", two_searches_of_a_kind},
    Refusal{"`sorted_cuts` with `min_size = \"c45\"` under another criterion, or the criterion `c45` with other cuts",
            other_min_size},
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
