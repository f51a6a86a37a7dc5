// The list of combinations without a kernel (without_kernel.hpp). Each entry names a combination in general terms, and
// has a function that returns the text that users read, or an empty text if the method does not have the combination.
#include "parts/without_kernel.hpp"

#include <array>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t MOST_CLASSES = 65'535, MOST_ROWS = (std::int64_t{1} << 31) - 1;
// Numbers in the distributions of a column's levels over all targets.
constexpr std::int64_t MOST_DISTRIBUTIONS = std::int64_t{1} << 26;

bool has_text(const PartValue& part, const char* key, const char* text) {
    const Setting* found = part.find(key);
    const auto* words = found ? std::get_if<std::string>(found) : nullptr;
    return words && *words == text;
}

// A method in the terms of the list of combinations.
struct Combination {
    const MethodParts& parts;
    const GrowthFacts& facts;
    Plan plan;
    std::vector<SearchRole> roles;  // of the searches

    Combination(const MethodParts& given, const GrowthFacts& known)
        : parts(given), facts(known), plan(plan_of_parts(given, known.has_missing)) {
        for (const PartValue& search : parts.searches) roles.push_back(registered(search).role);
    }

    const std::string& criterion() const { return parts.criterion.name; }
    const std::string& missing() const { return parts.missing.name; }
    std::string strategy() const { return "the missing-value strategy " + missing(); }
    std::string with_criterion() const { return " with the criterion " + criterion(); }
    bool measures_quantile() const { return plan.criterion.quantile >= 0; }
    // The search of a role at a position among them, or null.
    const PartValue* search(SearchRole role, int place = 0) const {
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i] == role && place-- == 0) return &parts.searches[i];
        return nullptr;
    }
};

std::string the_search(const PartValue* search) { return "the search " + search->name; }

std::string unknown_loss(const Combination& method) {
    return method.plan.criterion.name.empty() ? "the criterion " + method.criterion() : "";
}

// Only the caller knows the branch of values that no row has.
std::string imputed_and_given(const Combination& method) {
    if (method.plan.missing.impute == ImputeBy::nothing) return "";
    const std::string strategy = method.strategy() + " at each node with ";
    if (method.facts.has_first_question) return strategy + "first_question";
    return method.search(SearchRole::given) ? strategy + "custom_questions" : "";
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

std::string two_searches_of_a_kind(const Combination& method) {
    for (const SearchRole role : {SearchRole::cuts, SearchRole::levels})
        if (const PartValue* second = method.search(role, 1)) return the_search(second);
    return "";
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
    Refusal{"the criterion `loss_decrease` of a loss of another package", unknown_loss},
    Refusal{"`impute` at each node with `custom_questions` or `first_question`", imputed_and_given},
    Refusal{"`surrogates` with `method = \"inference\"`", inferred_surrogates},
    Refusal{"a criterion of quantiles with more than 2^26 pairs of a level and a target value",
            quantile_of_many_levels},
    Refusal{"two searches of cuts, or two searches of levels", two_searches_of_a_kind},
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
