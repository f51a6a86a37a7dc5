// The registries of the core: the parts that it has, by part type and name. Each is a plain table in a file of its own.
//
// An entry reads the settings of its part into the plan of a tree.
#pragma once

#include <span>

#include "nodes/plan.hpp"
#include "parts/settings.hpp"

namespace hornbeam {

// The kinds of searches that share a field of the plan, or a path of the grower.
enum class SearchRole : int { none, cuts, intervals, levels, many_columns, given, lookahead };

struct RegisteredPart {
    const char* name;
    void (*read)(Settings&, Plan&);
    SearchRole role = SearchRole::none;
};

using Registry = std::span<const RegisteredPart>;

Registry column_search_parts();
Registry criterion_parts();
Registry loss_parts();
Registry many_column_search_parts();
Registry missing_parts();
Registry order_parts();
Registry stop_parts();

struct PartType {
    const char* name;
    std::vector<Registry> registries;
};

const std::vector<PartType>& part_types();

// The part of this type and name; null if the core has none.
const RegisteredPart* find_part(const PartValue& part);

// The same; throws UnknownPart.
const RegisteredPart& registered(const PartValue& part);

// The keys and defaults of a part's settings, in the order in which they are read.
std::vector<std::pair<std::string, Setting>> defaults_of(const char* part_type, const RegisteredPart& part);

// The plan without data: every part has read its settings. Throws PartError.
Plan plan_of_parts(const MethodParts& parts, bool has_missing);

}  // namespace hornbeam
