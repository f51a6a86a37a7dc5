// How are the few codes of one column at one node put in order, when nothing was sorted before?
//
// A key packs (code, place) into 31 bits, or 62 for large nodes, so all keys differ and plain integers are compared.
//
//     few      the place of a key is the number of smaller keys: n^2 comparisons, eight at a time, no branch
//     many     by digits from the lowest, as few passes as the keys' bits ask for
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "searches/cut.hpp"

namespace hornbeam {

inline constexpr std::int32_t FEW_KEYS = 112;

// Sorts up to FEW_KEYS keys; `keys` has room for 16 more, which are overwritten.
void sort_few(std::int32_t* keys, std::int32_t n, std::int32_t* out);

// Least significant digit first, skipping the lowest `skip` bits (the places, in order already). The result is in the
// array that is returned.
template <class Key>
Key* sort_many(Key* keys, Key* spare, std::int32_t n, int skip, int bits) {
    const int widest = n < 1500 ? 8 : 11;
    const int passes = std::max(1, (bits + widest - 1) / widest);
    const int digit = (bits + passes - 1) / passes;
    std::array<std::uint32_t, 2048> count;
    const std::uint32_t mask = (1u << digit) - 1;
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = skip + pass * digit;
        std::fill_n(count.begin(), mask + 1, 0u);
        for (std::int32_t i = 0; i < n; ++i) ++count[static_cast<std::uint32_t>(keys[i] >> shift) & mask];
        std::uint32_t at = 0;
        for (std::uint32_t d = 0; d <= mask; ++d) at += std::exchange(count[d], at);
        for (std::int32_t i = 0; i < n; ++i)
            spare[count[static_cast<std::uint32_t>(keys[i] >> shift) & mask]++] = keys[i];
        std::swap(keys, spare);
    }
    return keys;
}

// The bits that numbers from 0 to `most` take.
inline int bits_of(std::uint64_t most) { return static_cast<int>(std::bit_width(most)); }

}  // namespace hornbeam
