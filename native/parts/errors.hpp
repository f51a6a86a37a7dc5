// Errors about a part: what it is, which key is wrong, and which names are known in its place.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace hornbeam {

struct PartError : std::invalid_argument {
    std::string part_type, name, key;
    std::vector<std::string> known;

    PartError(const std::string& text, std::string type, std::string part, std::string setting,
              std::vector<std::string> names)
        : std::invalid_argument(text),
          part_type(std::move(type)),
          name(std::move(part)),
          key(std::move(setting)),
          known(std::move(names)) {}
};

// No part of this type has the name.
struct UnknownPart : PartError {
    UnknownPart(const std::string& type, const std::string& part, std::vector<std::string> names)
        : PartError("Unknown " + type + " '" + part + "'.", type, part, "", std::move(names)) {}
};

// The part has no setting of this name.
struct UnknownSetting : PartError {
    UnknownSetting(const std::string& type, const std::string& part, const std::string& setting,
                   std::vector<std::string> names)
        : PartError("Unknown setting '" + setting + "' of the " + type + " " + part + ".", type, part, setting,
                    std::move(names)) {}
};

// The value of a setting has another type, or is none of the known choices.
struct BadSetting : PartError {
    BadSetting(const std::string& type, const std::string& part, const std::string& setting, const std::string& needed,
               const std::string& got, std::vector<std::string> names = {})
        : PartError(
              "Setting '" + setting + "' of the " + type + " " + part + " must be " + needed + ", got " + got + ".",
              type, part, setting, std::move(names)) {}
};

}  // namespace hornbeam
