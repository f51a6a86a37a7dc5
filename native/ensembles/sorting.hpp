// Sorts the codes of one column at one node.
//
// A key packs (code, position) into 31 bits, or 62 bits for large nodes, so all keys differ and integers are compared.
//
//     sort_small    the index of a key is the number of smaller keys: n^2 comparisons, eight at a time, no branches
//     radix_sort    least significant digit first, with as few passes as the bits of the keys need
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "searches/cut.hpp"

namespace hornbeam {

inline constexpr std::int32_t SMALL_SORT_KEYS = 112;

// Sorts up to SMALL_SORT_KEYS keys; `keys` has capacity for 16 more, which are overwritten.
void sort_small(std::int32_t* keys, std::int32_t n, std::int32_t* out);

// Ignores the lowest `skip` bits: the positions, which are sorted already. Returns the array with the result, `keys` or
// `spare`.
template <class Key>
Key* radix_sort(Key* keys, Key* spare, std::int32_t n, int skip, int bits) {
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

}  // namespace hornbeam
