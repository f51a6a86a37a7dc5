// Scratch: buffers that a worker reuses for all columns and nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "nodes/imputed_list.hpp"
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

// The sums of the bins of a node during a search.
struct BinBuffers {
    std::vector<std::int64_t> cells;     // all 0 between uses
    std::vector<std::uint16_t> present;  // bins that contain rows
};

// Buffers of the search by quantile (searches/peel.hpp).
struct PeelBuffers {
    std::vector<PeelLink> links;    // the remaining rows
    std::vector<char> is_included;  // which rows are included at the start
    std::vector<double> score;      // the risk of both sides of each cut
    std::vector<std::uint64_t> by_code;
};

struct Scratch {
    CutScratch cuts;
    std::vector<std::int64_t> counts;
    CodeTable codes;
    std::vector<std::uint32_t> touched;
    std::vector<std::uint64_t> spare;
    // A buffer for n items; its content is undefined.
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
    BinBuffers bins;
    LevelTable levels;
    RowSides sides;
    Points points;
    ScorerBuffers scorer;
    PeelBuffers peel;
    std::vector<char> is_marked;                         // cuts to try, by the row or code below them
    const std::vector<std::int64_t>* sampled = nullptr;  // indices of sampled cuts of the current column
    MissingStats missing;                                // of the current column
    ImputedList imputed;                                 // of the current column, if values are imputed
    IntervalBuffers intervals;
    std::vector<std::int64_t> second_counts;  // for a second kernel
};

}  // namespace hornbeam
