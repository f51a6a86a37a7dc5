// How are a node's rows divided among its children?  Each row is given its branch; the row list and every sorted list
// are then partitioned stably, so that they stay in order. Rows that end at the node (branch `n_branches`) drop out
// behind.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "growing/block.hpp"

namespace hornbeam {

// Into two: one pass, no branch that depends on the data. `right[row]` is 0 or 1; returns how many are 1.
template <class Item, class RowOf>
std::int32_t split_in_two(Item* items, std::int32_t n, const std::uint8_t* right, Item* spare, const RowOf& row) {
    Item* left = items;
    Item* other = spare;
    for (std::int32_t i = 0; i < n; ++i) {
        const Item item = items[i];
        const std::uint8_t side = right[row(item)];
        *left = item;
        *other = item;
        left += 1 - side;
        other += side;
    }
    std::memcpy(left, spare, static_cast<std::size_t>(other - spare) * sizeof(Item));
    return static_cast<std::int32_t>(other - spare);
}

// Into many: counted places, one scatter. `starts` has the first place of every branch, and of the rows that drop out.
template <class Item, class RowOf>
void split_in_many(Item* items, std::int32_t n, const std::uint16_t* branch, const std::vector<std::int32_t>& starts,
                   Item* spare, const RowOf& row) {
    std::vector<std::int32_t> at = starts;
    for (std::int32_t i = 0; i < n; ++i) spare[at[branch[row(items[i])]]++] = items[i];
    std::copy_n(spare, n, items);
}

}  // namespace hornbeam
