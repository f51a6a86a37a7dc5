// Memory that one worker uses again for every column and node.
#pragma once

#include <cstdint>
#include <vector>

#include "nodes/filled_list.hpp"
#include "nodes/missing_stats.hpp"
#include "nodes/node.hpp"
#include "oblique/points.hpp"
#include "oblique/split_scorer.hpp"
#include "searches/code_table.hpp"
#include "searches/cut_kernels.hpp"
#include "searches/intervals.hpp"
#include "searches/levels.hpp"
#include "searches/peel.hpp"

namespace hornbeam {

// Sums of bins while they are searched.
struct BinRoom {
    std::vector<std::int64_t> cells;     // all 0 between uses
    std::vector<std::uint16_t> present;  // bins that rows fall into
};

// Rows taken one by one from the order of their targets, where a quantile is sought.
struct PeelRoom {
    std::vector<PeelLink> links;  // the rows that are left,
    std::vector<char> is_here;    // which were there at first,
    std::vector<double> score;    // and what lies on both sides of every cut
    std::vector<std::uint64_t> by_code;
};

struct Scratch {
    CutScratch cuts;
    std::vector<std::int64_t> counts;
    CodeTable codes;
    std::vector<std::uint32_t> touched;
    std::vector<std::uint64_t> spare;
    // Space for so many items while others are moved; its content is lost.
    template <class Item>
    Item* spare_for(std::int32_t n) {
        const std::size_t words = (static_cast<std::size_t>(n) * sizeof(Item) + 7) / 8;
        if (spare.size() < words) {
            spare.clear();
            spare.resize(words);
        }
        return reinterpret_cast<Item*>(spare.data());
    }
    std::vector<std::uint16_t> unpacked;
    std::vector<Span> spans;
    BinRoom bins;
    LevelTable levels;
    RowSides sides;
    Points points;
    ScorerBuffers scorer;
    PeelRoom peel;
    std::vector<char> is_marked;                       // cuts that are tried, by the row or code below them
    const std::vector<std::int64_t>* drawn = nullptr;  // of the column looked at
    Holes holes;                                       // of the column looked at last
    Filled filled;                                     // the same, where a value stands in for missing ones
    IntervalRoom intervals;
    std::vector<std::int64_t> second_counts;  // for a kernel beside another
};

}  // namespace hornbeam
