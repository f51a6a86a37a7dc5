// Conversions for growing: a plan from a Python dict, and the arrays of a tree to Python dicts.
#pragma once

#include <nanobind/nanobind.h>

#include "nodes/plan.hpp"

namespace hornbeam::bind {

// The plan refers to the arrays of the dict, which must outlive it. Throws ValueError if the dict has an unknown key.
Plan plan_of(const nanobind::dict& given);

nanobind::dict arrays_of(Grown&& grown);

}  // namespace hornbeam::bind
