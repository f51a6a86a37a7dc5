// Conversions that several bindings share: jobs of growth and settings of boosting from Python dicts, trees to dicts.
#pragma once

#include "bind/dict_reader.hpp"
#include "boosting/boosted.hpp"
#include "nodes/plan.hpp"
#include "parts/value.hpp"

namespace hornbeam::bind {

// The parts of a method, by the keys criterion, searches, missing, stops, order, and loss for numeric targets. Throws
// ValueError for others.
MethodParts method_parts_of(const nb::dict& given);

// The columns of a job: (kind, array, n_levels), or (kind, ranked column, chosen rows or None, values or
// None); values are passed where growth reads many of them, since those of chosen rows are found through the rows.
std::vector<SourceColumn> job_columns_of(const nb::list& given, std::int64_t n_rows);

// The plan refers to the arrays of the job, which must outlive it. Throws ValueError if the job has an unknown key, and
// PartError if the core lacks a part or a setting.
Plan plan_of(const nb::dict& given);

BoostSettings boost_settings_of(DictReader& given);

nb::dict arrays_of(Grown&& grown);
nb::dict arrays_of(Boosted&& boosted);

}  // namespace hornbeam::bind
