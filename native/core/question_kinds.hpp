// The numbers of the question kinds in the arrays of a tree, in the order of KINDS in tree/name_codes.py.
#pragma once

#include <cstdint>

namespace hornbeam {

constexpr std::int8_t THRESHOLD = 0, INTERVALS = 1, SUBSET = 2, EACH_VALUE = 3, IS_MISSING = 4;

}  // namespace hornbeam
