// xlog: x log2(x), the term of entropies; 0 for x <= 0.
#pragma once

#include <cmath>

namespace hornbeam {

inline double xlog(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

}  // namespace hornbeam
