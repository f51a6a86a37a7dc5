// Reads settings by key and type (settings.hpp).
#include "parts/settings.hpp"

#include <algorithm>

#include "parts/errors.hpp"

namespace hornbeam {
namespace {

std::string text_of(const Setting& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
    if (const auto* part = std::get_if<std::shared_ptr<const PartValue>>(&value)) return "the part " + (*part)->name;
    if (const auto* other = std::get_if<OtherValue>(&value)) return "a value of type " + other->type;
    return "None";
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

}  // namespace

const Setting* Settings::find(const char* key, Setting usual) {
    defaults_.emplace_back(key, std::move(usual));
    return part_.find(key);
}

void Settings::reject(const char* key, const char* needed, const Setting& got, std::vector<std::string> known) const {
    const std::string text = known.empty() ? needed : needed + joined(known);
    throw BadSetting(part_.part_type, part_.name, key, text, text_of(got), std::move(known));
}

bool Settings::flag(const char* key, bool usual) {
    const Setting* given = find(key, usual);
    if (!given) return usual;
    if (const auto* value = std::get_if<bool>(given)) return *value;
    reject(key, "true or false", *given);
}

std::int64_t Settings::whole(const char* key, std::int64_t usual) {
    const Setting* given = find(key, usual);
    if (!given) return usual;
    if (const auto* value = std::get_if<std::int64_t>(given)) return *value;
    reject(key, "an integer", *given);
}

double Settings::real(const char* key, double usual) {
    const Setting* given = find(key, usual);
    if (!given) return usual;
    if (const auto* value = std::get_if<double>(given)) return *value;
    if (const auto* value = std::get_if<std::int64_t>(given)) return static_cast<double>(*value);
    reject(key, "a number", *given);
}

std::optional<std::int64_t> Settings::whole_or_none(const char* key) {
    const Setting* given = find(key, {});
    if (!given || std::holds_alternative<std::monostate>(*given)) return std::nullopt;
    if (const auto* value = std::get_if<std::int64_t>(given)) return *value;
    reject(key, "an integer or None", *given);
}

int Settings::choice(const char* key, std::initializer_list<const char*> choices) {
    const Setting* given = find(key, std::string(*choices.begin()));
    if (!given) return 0;
    const auto* text = std::get_if<std::string>(given);
    const auto* found = text ? std::find(choices.begin(), choices.end(), *text) : choices.end();
    if (found == choices.end()) reject(key, "one of ", *given, {choices.begin(), choices.end()});
    return static_cast<int>(found - choices.begin());
}

const PartValue* Settings::part(const char* key, const char* usual) {
    const Setting* given = find(key, std::string(usual));
    if (!given) return nullptr;
    if (const auto* value = std::get_if<std::shared_ptr<const PartValue>>(given)) return value->get();
    reject(key, "a part", *given);
}

std::vector<double> Settings::reals(const char* key) {
    const Setting* given = find(key, {});
    if (!given || std::holds_alternative<std::monostate>(*given)) return {};
    if (const auto* value = std::get_if<std::vector<double>>(given)) return *value;
    reject(key, "a list of numbers", *given);
}

void Settings::check_all_read() const {
    for (const auto& [key, value] : part_.settings) {
        const auto has_key = [&key = key](const auto& each) { return each.first == key; };
        if (std::any_of(defaults_.begin(), defaults_.end(), has_key)) continue;
        std::vector<std::string> known;
        for (const auto& [name, usual] : defaults_) known.push_back(name);
        throw UnknownSetting(part_.part_type, part_.name, key, std::move(known));
    }
}

}  // namespace hornbeam
