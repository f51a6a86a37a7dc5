// DictReader: reads the settings in a Python dict by name and rejects the dict if it has an unknown key.
//
//     DictReader plan(given, "plan");
//     plan.take("min_leaf", out.min_leaf);      optional: keeps the default if the key is absent
//     plan.check_all_read();                    ValueError: Unknown key 'min_laef' in the plan.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace hornbeam::bind {

namespace nb = nanobind;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

// A Python value as a C++ value. nanobind's casters of texts and vectors do not let std::bad_alloc through.
template <class T>
T converted(nb::handle value) {
    if constexpr (std::is_same_v<T, std::string>) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
        if (!text) throw nb::python_error();
        return {text, static_cast<std::size_t>(size)};
    } else if constexpr (IsVector<T>::value) {
        T out;
        for (const nb::handle each : nb::iter(value)) out.push_back(converted<typename T::value_type>(each));
        return out;
    } else {
        return nb::cast<T>(value);
    }
}

class DictReader {
  public:
    // Both arguments must outlive the reader.
    DictReader(const nb::dict& from, const char* what) : from_(from), what_(what) {}

    // The entry of a key, or a null handle.
    nb::handle find(const char* name) {
        const nb::handle value = PyDict_GetItemString(from_.ptr(), name);
        if (value) read_.push_back(name);
        return value;
    }

    // The entry of a required key.
    nb::handle get(const char* name) {
        const nb::handle value = find(name);
        if (!value) throw nb::value_error(("Missing key '" + std::string(name) + "' in the " + what_ + ".").c_str());
        return value;
    }

    template <class T>
    void take(const char* name, T& to) {
        if (const nb::handle value = find(name)) to = converted<T>(value);
    }

    // An enumeration, passed as an integer.
    template <class T>
    void take_enum(const char* name, T& to) {
        if (const nb::handle value = find(name)) to = static_cast<T>(nb::cast<int>(value));
    }

    // Throws ValueError if some key was never read. Every key must be read at most once.
    void check_all_read() const {
        if (read_.size() == from_.size()) return;
        for (const auto [key, value] : from_) {
            const std::string name = converted<std::string>(key);
            if (std::find(read_.begin(), read_.end(), name) == read_.end())
                throw nb::value_error(("Unknown key '" + name + "' in the " + what_ + ".").c_str());
        }
    }

  private:
    const nb::dict& from_;
    const char* what_;
    std::vector<const char*> read_;
};

}  // namespace hornbeam::bind
