// The numbers of the kinds of questions in the arrays of a tree: the order of KIND_NAMES in tree/questions/base.py.
#pragma once

#include <cstdint>

namespace hornbeam {

constexpr std::int8_t THRESHOLD = 0, INTERVALS = 1, SUBSET = 2, EACH_VALUE = 3, IS_MISSING = 4;

}  // namespace hornbeam
