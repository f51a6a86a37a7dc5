// The numbers of questions in the arrays of a tree: their kinds, in the order of KINDS in tree/name_codes.py, and their
// encodings (tree/questions/base.py).
#pragma once

#include <cstdint>

namespace hornbeam {

constexpr std::int8_t THRESHOLD = 0, INTERVALS = 1, SUBSET = 2, EACH_VALUE = 3, IS_MISSING = 4;

enum class Encoding : std::int8_t { cuts = 0, map = 1, plane = 2, ball = 3, combined = 4 };

}  // namespace hornbeam
