// Finds parts in the registries, and fills a plan from the parts of a method (registry.hpp).
#include "parts/registry.hpp"

#include "parts/errors.hpp"

namespace hornbeam {
namespace {

void read_part(const PartValue& part, Plan& plan) {
    const RegisteredPart& found = registered(part);
    Settings settings(part);
    found.read(settings, plan);
    settings.check_all_read();
}

}  // namespace

const std::vector<PartType>& part_types() {
    static const std::vector<PartType> types = {
        {"criterion", {criterion_parts()}}, {"search", {column_search_parts(), many_column_search_parts()}},
        {"missing", {missing_parts()}},     {"stop", {stop_parts()}},
        {"order", {order_parts()}},         {"loss", {loss_parts()}},
    };
    return types;
}

const RegisteredPart* find_part(const PartValue& part) {
    for (const PartType& type : part_types())
        if (type.name == part.part_type)
            for (const Registry& registry : type.registries)
                for (const RegisteredPart& each : registry)
                    if (each.name == part.name) return &each;
    return nullptr;
}

const RegisteredPart& registered(const PartValue& part) {
    if (const RegisteredPart* found = find_part(part)) return *found;
    std::vector<std::string> known;
    for (const PartType& type : part_types())
        if (type.name == part.part_type)
            for (const Registry& registry : type.registries)
                for (const RegisteredPart& each : registry) known.push_back(each.name);
    throw UnknownPart(part.part_type, part.name, std::move(known));
}

std::vector<std::pair<std::string, Setting>> defaults_of(const char* part_type, const RegisteredPart& part) {
    const PartValue value{part_type, part.name, {}};
    Settings settings(value);
    Plan ignored;
    part.read(settings, ignored);
    return settings.defaults();
}

Plan plan_of_parts(const MethodParts& parts, bool has_missing) {
    Plan plan;
    plan.cuts.is_used = false;
    plan.stops.splits_pure = true;
    read_part(parts.criterion, plan);
    bool has_cuts = false;
    for (const PartValue& search : parts.searches) {
        read_part(search, plan);
        has_cuts |= registered(search).role == SearchRole::cuts;
    }
    plan.cuts.intervals_with_cuts = plan.cuts.intervals > 0 && has_cuts;
    read_part(parts.missing, plan);
    for (const PartValue& stop : parts.stops) read_part(stop, plan);
    read_part(parts.order, plan);
    if (parts.loss) read_part(*parts.loss, plan);
    if (!has_missing) {
        plan.missing.mode = MissingMode::apart;
        plan.missing.is_fractional = false;
    }
    return plan;
}

}  // namespace hornbeam
