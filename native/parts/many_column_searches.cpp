// The registry of searches of many columns at once. Their settings are numbers for oblique/ and searches/conjunctions:
// true is 1, None is 0, and a choice is its position.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

// How a setting is read, with its default; `terms`: the limits of the terms, which all planes have.
enum class Reading { terms, whole, real, flag, spread };
struct NumberSetting {
    Reading reading;
    const char* key = "";
    double usual = 0.0;
};

// The settings of a search in addition to `until_depth`, which all have.
struct ManySearch {
    const char* name;
    std::vector<NumberSetting> settings;
};

const std::vector<ManySearch>& searches() {
    using enum Reading;
    static const std::vector<ManySearch> all = {
        {"ball", {}},
        {"chou_plane", {{terms}, {whole, "rounds", 20}, {real, "ridge", 0.001}}},
        {"conjunctions", {{whole, "length", 2}, {whole, "beam", 5}, {whole, "pool", 32}}},
        {"custom_questions", {}},  // the caller passes the list with the job
        {"householder_planes", {{terms}}},
        {"kd_median", {{spread, "spread"}}},
        {"lda_plane", {{terms}, {real, "gamma", 1e-6}}},
        {"logistic_plane", {{terms}, {real, "ridge", 0.001}}},
        {"oc1_plane", {{terms}, {whole, "restarts", 20}, {whole, "jumps", 5}, {whole, "stagnant", 10}}},
        {"pca_median", {}},
        {"perceptron_plane", {{terms}, {whole, "epochs", 100}}},
        {"sparse_planes",
         {{terms},
          {real, "exponent", 2.0},
          {whole, "min_directions", 32},
          {whole, "max_directions", 6000},
          {real, "density", 2.0},
          {flag, "is_binary", 0},
          {flag, "is_scaled", 1}}},
        {"spheres", {{whole, "rows", 20}, {flag, "is_scaled", 1}}},
        {"svm_plane", {{terms}, {real, "C", 1.0}}},
        {"two_means", {{whole, "rounds", 100}}},
    };
    return all;
}

void read_number(Settings& given, const NumberSetting& setting, std::map<std::string, double>& out) {
    const auto& [reading, key, usual] = setting;
    switch (reading) {
        case Reading::terms:
            out["max_terms"] = static_cast<double>(given.whole_or_none("max_terms").value_or(0));
            out["min_contribution"] = given.real("min_contribution", 0.0);
            return;
        case Reading::whole:
            out[key] = static_cast<double>(given.whole(key, static_cast<std::int64_t>(usual)));
            return;
        case Reading::real:
            out[key] = given.real(key, usual);
            return;
        case Reading::flag:
            out[key] = given.flag(key, usual != 0.0) ? 1.0 : 0.0;
            return;
        case Reading::spread:
            out[key] = given.choice(key, {"variance", "range"});
            return;
    }
}

void read_many(Settings& given, Plan& plan) {
    ManyPlan search{given.name(), {}};
    search.settings["until_depth"] = static_cast<double>(given.whole_or_none("until_depth").value_or(0));
    for (const ManySearch& each : searches())
        if (each.name == given.name())
            for (const NumberSetting& setting : each.settings) read_number(given, setting, search.settings);
    plan.many.push_back(std::move(search));
}

}  // namespace

Registry many_column_search_parts() {
    static const std::vector<RegisteredPart> parts = [] {
        std::vector<RegisteredPart> out;
        for (const ManySearch& each : searches()) {
            const bool is_list = each.name == std::string_view("custom_questions");
            out.push_back({each.name, read_many, is_list ? SearchRole::given : SearchRole::many_columns});
        }
        return out;
    }();
    return parts;
}

}  // namespace hornbeam
