// Conversions of boosting that several bindings share: settings from a dict, trees to a dict.
#pragma once

#include <nanobind/nanobind.h>

#include "bind/dict_reader.hpp"
#include "boosting/boosted.hpp"

namespace hornbeam::bind {

BoostSettings boost_settings_of(DictReader& given);
nb::dict arrays_of(Boosted&& boosted);

}  // namespace hornbeam::bind
