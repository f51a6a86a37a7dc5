// Parts as values: part type, name and settings, as in a recipe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hornbeam {

struct PartValue;

// A value that no part of the core reads, such as a function: the name of its type.
struct OtherValue {
    std::string type;
};

// Nothing stands for None.
using Setting = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>,
                             std::shared_ptr<const PartValue>, OtherValue>;

struct PartValue {
    std::string part_type, name;
    std::vector<std::pair<std::string, Setting>> settings;

    const Setting* find(const std::string& key) const {
        for (const auto& [known, value] : settings)
            if (known == key) return &value;
        return nullptr;
    }
};

// The parts of a method. Class targets need no loss: the caller derives predictions from the class weights.
struct MethodParts {
    PartValue criterion, missing, order;
    std::vector<PartValue> searches, stops;
    std::optional<PartValue> loss;
};

}  // namespace hornbeam
