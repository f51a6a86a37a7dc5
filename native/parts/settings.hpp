// Settings: reads the settings of one part. Every key must be read, else check_all_read throws UnknownSetting.
//
//     Settings given(part);
//     plan.stops.min_leaf = given.whole("rows", 1);       the default if the key is absent
//     given.check_all_read();
//
// The reader records the keys and defaults that it reads, so the registry can list them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parts/value.hpp"

namespace hornbeam {

class Settings {
  public:
    // The part must outlive the reader.
    explicit Settings(const PartValue& part) : part_(part) {}

    bool flag(const char* key, bool usual);
    std::int64_t whole(const char* key, std::int64_t usual);
    double real(const char* key, double usual);
    // An integer or None, which is the default.
    std::optional<std::int64_t> whole_or_none(const char* key);
    // The position of a text among the choices; the first is the default.
    int choice(const char* key, std::initializer_list<const char*> choices);
    // A part; `usual` is the name of the default.
    const PartValue* part(const char* key, const char* usual);
    // A list of numbers, empty by default.
    std::vector<double> reals(const char* key);

    const std::string& name() const { return part_.name; }
    void check_all_read() const;
    const std::vector<std::pair<std::string, Setting>>& defaults() const { return defaults_; }

  private:
    const Setting* find(const char* key, Setting usual);
    [[noreturn]] void reject(const char* key, const char* needed, const Setting& got,
                             std::vector<std::string> known = {}) const;

    const PartValue& part_;
    std::vector<std::pair<std::string, Setting>> defaults_;
};

}  // namespace hornbeam
