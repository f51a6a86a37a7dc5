// Combination: a method in the terms of the list of combinations without a kernel (without_kernel.cpp).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "parts/registry.hpp"
#include "parts/without_kernel.hpp"

namespace hornbeam {

using Names = std::initializer_list<const char*>;

inline bool is_in(const std::string& name, Names names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The value of a setting if it has this type, else null.
template <class T>
const T* setting_of(const PartValue& part, const char* key) {
    const Setting* found = part.find(key);
    return found ? std::get_if<T>(found) : nullptr;
}

inline bool has_text(const PartValue& part, const char* key, const char* text) {
    const auto* found = setting_of<std::string>(part, key);
    return found && *found == text;
}

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
    // Missing values take part in scores.
    bool scores_missing() const { return facts.has_missing && is_in(missing(), {"learned", "own_branch"}); }
    // The search of a role at a position among them, or null.
    const PartValue* search(SearchRole role, int place = 0) const {
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i] == role && place-- == 0) return &parts.searches[i];
        return nullptr;
    }
    // The first search that has one of these names, or null.
    const PartValue* search(Names names) const {
        for (const PartValue& each : parts.searches)
            if (is_in(each.name, names)) return &each;
        return nullptr;
    }
};

}  // namespace hornbeam
