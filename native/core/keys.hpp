// ordered_bits: maps doubles to unsigned integers with the same order, and back.
#pragma once

#include <bit>
#include <cstdint>

namespace hornbeam {

// The bits of a double, changed so that unsigned order is numeric order; -0.0 and 0.0 have the same key.
inline std::uint64_t ordered_bits(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    return (bits >> 63) ? ~bits : bits | (std::uint64_t{1} << 63);
}
inline double from_ordered_bits(std::uint64_t key) {
    return std::bit_cast<double>((key >> 63) ? key & ~(std::uint64_t{1} << 63) : ~key);
}

}  // namespace hornbeam
