// Stable partitions of the items of a node among its branches: items keep their order within a branch. No branch of the
// code depends on the data, since half of the jumps would be predicted wrongly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hornbeam {

// Items of side 0 move to the front, those of side 1 to `aside`, which has room for one more than arrive. Returns how
// many are at the front.
template <class Item, class SideOf>
std::int32_t set_aside(Item* items, std::int32_t n, Item* aside, const SideOf& side_of) {
    Item* left = items;
    Item* right = aside;
    for (std::int32_t i = 0; i < n; ++i) {
        const Item item = items[i];
        const std::int32_t side = side_of(item);
        *left = item;
        *right = item;
        left += 1 - side;
        right += side;
    }
    return static_cast<std::int32_t>(left - items);
}

// Into two branches, in place; returns the number of items of branch 0.
template <class Item, class SideOf>
std::int32_t partition_in_two(Item* items, std::int32_t n, Item* spare, const SideOf& side_of) {
    const std::int32_t left = set_aside(items, n, spare, side_of);
    std::copy_n(spare, n - left, items + left);
    return left;
}

// Into many branches, in place; `starts` has the first place of every branch, and of the items that drop out behind.
template <class Item, class BranchOf>
void partition_in_many(Item* items, std::int32_t n, const std::vector<std::int32_t>& starts, Item* spare,
                       const BranchOf& branch_of) {
    std::vector<std::int32_t> at = starts;
    for (std::int32_t i = 0; i < n; ++i) spare[at[branch_of(items[i])]++] = items[i];
    std::copy_n(spare, n, items);
}

// Calls move(from, to) for each of n places in order: those of side 0 go to 0, 1, ..., those of side 1 to `left`,
// `left + 1`, ...
template <class SideOf, class Move>
void partition_places(std::int32_t n, std::int32_t left, const SideOf& side_of, const Move& move) {
    std::int32_t next = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        const auto side = static_cast<std::int32_t>(side_of(i));
        move(i, next + ((left - next) & -side));
        left += side;
        next += 1 - side;
    }
}

inline constexpr std::int32_t ROWS_AT_ONCE = 8;

// Eight rows at a time: those of branch 0 go to `left`, the others to `right`; `is_right` has a byte per row, 0 or 1.
// On both sides there is room for ROWS_AT_ONCE more than arrive.
void partition_rows(const std::uint32_t* rows, const std::uint8_t* is_right, std::int32_t n, std::uint32_t* left,
                    std::uint32_t* right);

}  // namespace hornbeam
