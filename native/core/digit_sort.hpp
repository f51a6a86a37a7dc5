// sort_by_digits: a stable sort by 64-bit keys, digit by digit from the lowest. A digit that is equal in all keys costs
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace hornbeam {

// Sorts by the bits of key(item) from FIRST_BIT on; the result is in the array that is returned, one of the two.
template <int FIRST_BIT, class Item, class Key>
Item* sort_by_digits(Item* items, Item* spare, std::int64_t n, const Key& key) {
    constexpr int BITS = 11, DIGITS = (64 - FIRST_BIT + BITS - 1) / BITS;
    constexpr std::uint32_t BUCKETS = 1u << BITS;
    const auto digit = [&](const Item& item, int d) {
        return static_cast<std::uint32_t>(key(item) >> (FIRST_BIT + d * BITS)) & (BUCKETS - 1);
    };
    const auto counts = std::make_unique<std::array<std::array<std::uint32_t, BUCKETS>, DIGITS>>();
    for (std::int64_t i = 0; i < n; ++i)
        for (int d = 0; d < DIGITS; ++d) ++(*counts)[d][digit(items[i], d)];
    for (int d = 0; d < DIGITS; ++d) {
        auto& count = (*counts)[d];
        if (count[digit(items[0], d)] == n) continue;
        std::uint32_t at = 0;
        for (auto& c : count) at += std::exchange(c, at);
        for (std::int64_t i = 0; i < n; ++i) spare[count[digit(items[i], d)]++] = items[i];
        std::swap(items, spare);
    }
    return items;
}

}  // namespace hornbeam
