// Arrays of pieces: numbers by name, and the codes of one column, of one or two bytes per row.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "bind/dict_reader.hpp"
#include "pieces/request.hpp"

namespace hornbeam::bind {

namespace nb = nanobind;

// Reads an array, which is required, or a number.
template <class T>
void read_field(DictReader& given, const char* name, std::span<const T>& to) {
    to = span_of(nb::cast<Array<T>>(given.get(name), false));
}
template <class T>
void read_field(DictReader& given, const char* name, T& to) {
    given.take(name, to);
}
// Writes a copy of an array, or a number.
template <class T>
void write_field(nb::dict& to, const char* name, const T& value) {
    if constexpr (IsVector<T>::value)
        to[name] = owned(T(value));
    else
        to[name] = value;
}

inline PieceCodes codes_of(const nb::handle& array, std::int64_t n_rows) {
    using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    const auto codes = array_of_rows<Numbers>(array, n_rows);
    if (codes.dtype() == nb::dtype<std::uint8_t>()) return {static_cast<const std::uint8_t*>(codes.data()), nullptr};
    if (codes.dtype() == nb::dtype<std::uint16_t>()) return {nullptr, static_cast<const std::uint16_t*>(codes.data())};
    throw nb::type_error("Codes must be uint8 or uint16.");
}

// Rows must not have a code above that of missing values: checked, because cells are found by it.
inline void check_codes(const PieceCodes& codes, std::int64_t n_rows, std::uint32_t n_codes) {
    if (codes.narrow && n_codes >= 255) return;
    if (largest_code(codes, n_rows) > n_codes) throw nb::value_error("A code is above the code of missing values.");
}

}  // namespace hornbeam::bind
