// Kept columns in Python: a column that is ranked once, with the array that it refers to.
#pragma once

#include <nanobind/nanobind.h>

#include "bind/arrays.hpp"
#include "core/kept_column.hpp"

namespace hornbeam::bind {

struct RankedColumn {
    nb::object array;
    KeptColumn column;
};

// The columns of a job: (kind, array, n_levels), or (kind, ranked column, chosen rows or None, values or
// None); values are passed where growth reads many of them, since those of chosen rows are found through the rows.
std::vector<SourceColumn> job_columns_of(const nb::list& given, std::int64_t n_rows);

}  // namespace hornbeam::bind
