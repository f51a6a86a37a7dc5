// column_of: a column of a table as the walk reads it.
#pragma once

#include "bind/arrays.hpp"
#include "walking/walk.hpp"

namespace hornbeam::bind {

// A pointer to the values of a numeric column or to the codes of another one.
inline WalkColumn column_of(nb::handle given, bool is_number, std::int64_t n_rows) {
    WalkColumn column;
    std::size_t length = 0;
    if (is_number) {
        const auto numbers = nb::cast<Array<double>>(given, false);
        column.numbers = numbers.data();
        length = numbers.size();
    } else {
        const auto codes = nb::cast<Array<std::int32_t>>(given, false);
        column.codes = codes.data();
        length = codes.size();
    }
    if (length != static_cast<std::size_t>(n_rows)) throw nb::value_error("All columns must have the same length.");
    return column;
}

}  // namespace hornbeam::bind
