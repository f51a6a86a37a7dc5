// Arrays between Python and the core: input arrays are borrowed, output arrays are moved to NumPy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/data.hpp"
#include "walking/tree_arrays.hpp"

namespace hornbeam::bind {

namespace nb = nanobind;
using namespace nb::literals;

using Arrays = nb::typed<nb::dict, nb::str, nb::any>;
using List = nb::typed<nb::list, nb::any>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = Out<const T>;
template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The numbers of an array, row by row.
template <class T, class... Layout>
std::span<T> span_of(const nb::ndarray<T, Layout...>& array) {
    return {array.data(), array.size()};
}

// Refers to an array, or copies it.
template <class T>
void read_array(const Arrays& arrays, const char* name, std::span<const T>& to) {
    to = span_of(nb::cast<Array<T>>(arrays[name]));
}
template <class T>
void read_array(const Arrays& arrays, const char* name, std::vector<T>& to) {
    const auto found = span_of(nb::cast<Array<T>>(arrays[name]));
    to.assign(found.begin(), found.end());
}

// An array with one entry per row.
template <class Typed>
Typed array_of_rows(const nb::handle& array, std::int64_t n_rows) {
    auto typed = nb::cast<Typed>(array, false);
    if (static_cast<std::int64_t>(typed.size()) != n_rows)
        throw nb::value_error("All arrays must have n_rows entries.");
    return typed;
}
template <class T>
const T* data_of(const nb::handle& array, std::int64_t n_rows) {
    return array_of_rows<Array<T>>(array, n_rows).data();
}

// The values of a numeric column, or the codes of another one, as the walk reads them.
inline WalkColumn column_of(const nb::handle& array, bool is_number, std::int64_t n_rows) {
    if (is_number) return {data_of<double>(array, n_rows), nullptr};
    return {nullptr, data_of<std::int32_t>(array, n_rows)};
}

// Floats in single or double precision, with any stride.
inline Reals reals_of(const nb::handle& array, std::int64_t n_rows) {
    using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
    const auto given = array_of_rows<Numbers>(array, n_rows);
    const std::int64_t step = n_rows > 1 ? given.stride(0) : 1;
    if (given.dtype() == nb::dtype<double>()) return {static_cast<const double*>(given.data()), step};
    if (given.dtype() == nb::dtype<float>()) return {static_cast<const float*>(given.data()), step};
    throw nb::type_error("Numeric columns must be float32 or float64.");
}

// A column from its kind, its values or codes, and its number of levels.
inline SourceColumn source_column(int kind, const nb::handle& array, std::int32_t n_levels, std::int64_t n_rows) {
    SourceColumn column;
    column.kind = static_cast<Kind>(kind);
    column.n_levels = n_levels;
    if (column.kind == Kind::numeric)
        column.reals = reals_of(array, n_rows);
    else
        column.codes = data_of<std::int32_t>(array, n_rows);
    for (std::int64_t i = 0; column.codes && i < n_rows; ++i)
        if (column.codes[i] >= n_levels)
            throw nb::value_error("The codes of a column must be below its number of levels.");
    return column;
}
inline SourceColumn source_column(const nb::tuple& fields, std::int64_t n_rows) {
    return source_column(nb::cast<int>(fields[0]), fields[1], nb::cast<std::int32_t>(fields[2]), n_rows);
}

constexpr std::size_t SMALL_BYTES = 4096;

// Copies a short vector to a read-only array on a bytes object: takes a fifth of the time of moving it.
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

// Moves a vector to NumPy.
template <class T>
nb::object moved_out(std::vector<T>&& values, std::size_t width = 0) {
    auto kept = std::make_unique<std::vector<T>>(std::move(values));
    nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    std::vector<T>* moved = kept.release();
    if (width == 0) return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(moved->data(), {moved->size()}, owner));
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(moved->data(), {moved->size() / width, width}, owner));
}

// The same; a short vector is copied.
template <class T>
nb::object owned(std::vector<T>&& values, std::size_t width = 0) {
    const bool is_short = !values.empty() && values.size() * sizeof(T) <= SMALL_BYTES;
    return is_short ? copied(values, width) : moved_out(std::move(values), width);
}

}  // namespace hornbeam::bind
