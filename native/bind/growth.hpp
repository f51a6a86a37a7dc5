// How does a plan come in from Python, and how do the arrays of a tree go out?
#pragma once

#include <nanobind/nanobind.h>

#include "growing/plan.hpp"

namespace hornbeam::bind {

// The plan points into the arrays of the dict, which must outlive it.
Plan plan_of(const nanobind::dict& given);

nanobind::dict arrays_of(Grown&& grown);

}  // namespace hornbeam::bind
