// Combination: a method in the terms of the list of combinations without a kernel (without_kernel.cpp).
#pragma once

#include <string>
#include <vector>

#include "parts/registry.hpp"
#include "parts/without_kernel.hpp"

namespace hornbeam {

inline bool has_text(const PartValue& part, const char* key, const char* text) {
    const Setting* found = part.find(key);
    const auto* words = found ? std::get_if<std::string>(found) : nullptr;
    return words && *words == text;
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
    // The search of a role at a position among them, or null.
    const PartValue* search(SearchRole role, int place = 0) const {
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i] == role && place-- == 0) return &parts.searches[i];
        return nullptr;
    }
};

}  // namespace hornbeam
