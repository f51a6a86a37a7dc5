// require: the check of an index of a tree that may come from a file.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace hornbeam {

inline void require(bool is_valid, const char* what, std::size_t where) {
    if (!is_valid) throw std::invalid_argument(std::string(what) + " at " + std::to_string(where));
}

}  // namespace hornbeam
