// Which rows does a tree of a forest see, and how often?  Drawn anew for every tree, keyed by its number: the twin of
// ensembles/draws.py, bit for bit (E10.1).
//
//     rows       n rows of all, with replacement; or a share of them without
//     classes    the same within every class (stratified)
//     balanced   as many of every class as the rarest has
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam {

enum class DrawBy : int { none = 0, rows = 1, classes = 2, balanced = 3 };

struct Draw {
    DrawBy by = DrawBy::none;
    bool replace = true;
    double share = 1.0;  // of the rows (of a class)
};

// How often each row is drawn for a tree; `classes` may be null when rows are drawn from all alike.
std::vector<std::uint32_t> multiplicities(const Draw& draw, std::int64_t n_rows, const std::uint16_t* classes,
                                          int n_classes, std::uint64_t seed, std::uint64_t tree);

}  // namespace hornbeam
