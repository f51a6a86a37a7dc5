// How do arrays cross between Python and the core?  Borrowed on the way in, handed over on the way out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/data.hpp"

namespace hornbeam::bind {

namespace nb = nanobind;

using Arrays = nb::typed<nb::dict, nb::str, nb::any>;
using List = nb::typed<nb::list, nb::any>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = Out<const T>;
template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Arrays& arrays, const char* name) {
    const auto array = nb::cast<Array<T>>(arrays[name]);
    return {array.data(), array.size()};
}

// The entry of a dict, or nothing.
inline nb::handle entry(const nb::dict& from, const char* name) { return PyDict_GetItemString(from.ptr(), name); }

template <class T>
void take(const nb::dict& from, const char* name, T& to) {
    if (const nb::handle value = entry(from, name)) to = nb::cast<T>(value);
}

template <class T>
void take_number(const nb::dict& from, const char* name, T& to) {
    if (const nb::handle value = entry(from, name)) to = static_cast<T>(nb::cast<int>(value));
}

template <class T>
const T* data_of(const nb::handle& array, std::int64_t n_rows) {
    const auto typed = nb::cast<Array<T>>(array, false);
    if (static_cast<std::int64_t>(typed.size()) != n_rows) throw nb::value_error("arrays differ in length");
    return typed.data();
}

// Numbers in single or double precision, however far apart they lie.
inline Reals reals_of(const nb::handle& array, std::int64_t n_rows) {
    using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
    const auto given = nb::cast<Numbers>(array, false);
    if (static_cast<std::int64_t>(given.size()) != n_rows) throw nb::value_error("arrays differ in length");
    const std::int64_t step = n_rows > 1 ? given.stride(0) : 1;
    if (given.dtype() == nb::dtype<double>()) return {static_cast<const double*>(given.data()), step};
    if (given.dtype() == nb::dtype<float>()) return {static_cast<const float*>(given.data()), step};
    throw nb::type_error("numbers must be in single or double precision");
}

inline std::vector<SourceColumn> columns_of(const nb::list& given, std::int64_t n_rows) {
    std::vector<SourceColumn> out;
    for (const nb::handle item : given) {
        const auto parts = nb::cast<nb::tuple>(item);
        SourceColumn column;
        column.kind = static_cast<Kind>(nb::cast<int>(parts[0]));
        column.n_levels = nb::cast<std::int32_t>(parts[2]);
        if (column.kind == Kind::numeric)
            column.reals = reals_of(parts[1], n_rows);
        else
            column.codes = data_of<std::int32_t>(parts[1], n_rows);
        for (std::int64_t i = 0; column.codes && i < n_rows; ++i)
            if (column.codes[i] >= column.n_levels) throw nb::value_error("a code lies outside its levels");
        out.push_back(column);
    }
    return out;
}

constexpr std::size_t SMALL_BYTES = 4096;

// A short vector as a read-only array on bytes of Python's own: a fifth of what handing it over takes.
template <class T>
nb::object copied(const std::vector<T>& values, std::size_t width) {
    static nb::object* const from_buffer = new nb::object(nb::module_::import_("numpy").attr("frombuffer"));
    static const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    static nb::object* const type = new nb::object(
        nb::module_::import_("numpy").attr("dtype")(nb::str((kind + std::to_string(sizeof(T))).c_str())));
    const nb::bytes bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    nb::object out = (*from_buffer)(bytes, *type);
    return width == 0 ? out : out.attr("reshape")(values.size() / width, width);
}

// Hands a vector to NumPy: a long one without copying it.
template <class T>
nb::object owned(std::vector<T>&& values, std::size_t width = 0) {
    if (!values.empty() && values.size() * sizeof(T) <= SMALL_BYTES) return copied(values, width);
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    if (width == 0) return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(kept->data(), {kept->size() / width, width}, owner));
}

}  // namespace hornbeam::bind
