// Conversions for growing: the plan of a job, a Python dict, and the arrays of a tree to Python dicts.
#pragma once

#include <nanobind/nanobind.h>

#include "nodes/plan.hpp"

namespace hornbeam::bind {

// The plan refers to the arrays of the job, which must outlive it. Throws ValueError if the job has an unknown key, and
// PartError if the core lacks a part or a setting.
Plan plan_of(const nanobind::dict& given);

nanobind::dict arrays_of(Grown&& grown);

}  // namespace hornbeam::bind
