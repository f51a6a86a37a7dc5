// Conversions of parts: values from Python, and the parts of a method from a dict.
#pragma once

#include <nanobind/nanobind.h>

#include "parts/value.hpp"

namespace hornbeam::bind {

// A part from a tuple (part type, name, dict of settings).
PartValue part_of(nanobind::handle given);

// The keys: criterion, searches, missing, stops, order, and loss for numeric targets. Throws ValueError for others.
MethodParts method_parts_of(const nanobind::dict& given);

}  // namespace hornbeam::bind
