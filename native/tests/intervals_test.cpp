// Tests of cutting an ordered column into several pieces.
#include "searches/intervals.hpp"

#include <utility>
#include <vector>

#include "tests/test.hpp"

using namespace hornbeam;

namespace {

// Groups of two classes, as (count of the first, count of the second).
ValueGroups groups_of(const std::vector<std::pair<int, int>>& counts) {
    ValueGroups out;
    out.clear(2, true);
    for (const auto& [first, second] : counts) {
        out.counts.insert(out.counts.end(), {first, second});
        out.rows.push_back(first + second);
        out.known += first + second;
    }
    return out;
}

BlockSums sums_of(const ValueGroups& groups, const std::vector<int>& ends) {
    BlockSums out{{0.0}, {{0.0}, {0.0}}};
    double held[2] = {0, 0};
    int group = 0;
    for (const int end : ends) {
        for (; group <= end; ++group)
            for (int k = 0; k < 2; ++k) held[k] += static_cast<double>(groups.of(group)[k]);
        for (int k = 0; k < 2; ++k) out.parts[k].push_back(held[k]);
        out.weight.push_back(held[0] + held[1]);
    }
    return out;
}

IntervalBuffers buffers_of(const std::vector<std::pair<int, int>>& counts) {
    IntervalBuffers buffers;
    buffers.groups = groups_of(counts);
    buffers.groups.find_blocks({1.0, 1.0}, buffers.ends);
    buffers.sums = sums_of(buffers.groups, buffers.ends);
    return buffers;
}

}  // namespace

TEST("adjacent values of one class form one block, mixed values do not") {
    const IntervalBuffers buffers = buffers_of({{1, 0}, {2, 0}, {0, 3}, {1, 1}, {1, 1}, {0, 1}});
    CHECK((buffers.ends == std::vector<int>{1, 2, 3, 4, 5}));
}

TEST("a class with factor 0 does not separate blocks") {
    std::vector<int> ends;
    groups_of({{1, 0}, {1, 2}, {0, 3}}).find_blocks({1.0, 0.0}, ends);
    CHECK((ends == std::vector<int>{1, 2}));
}

TEST("three nearly pure intervals are found with every cost function") {
    for (const PieceScore score : {PieceScore::squares, PieceScore::logs, PieceScore::largest}) {
        IntervalBuffers buffers = buffers_of({{9, 1}, {8, 1}, {1, 9}, {1, 8}, {9, 1}, {8, 2}});
        PieceRule rule;
        rule.score = score;
        rule.slack = 1e-9;
        const std::vector<Pieces> found = optimal_pieces(3, rule, buffers);
        CHECK(found.size() == 2);
        CHECK((found[1] == Pieces{1, 3, 5}));
    }
}

TEST("of equal solutions the one with the smaller first piece wins") {
    IntervalBuffers buffers = buffers_of({{1, 1}, {1, 1}, {1, 1}});
    PieceRule rule;
    rule.slack = 1e-9;
    const std::vector<Pieces> found = optimal_pieces(4, rule, buffers);
    CHECK(found.size() == 2);
    CHECK((found[0] == Pieces{0, 2}));
    CHECK((found[1] == Pieces{0, 1, 2}));
}

TEST("the description-length test accepts only clear cuts") {
    const IntervalBuffers clear = buffers_of({{20, 0}, {0, 20}, {20, 0}});
    CHECK((mdlp_pieces(clear.sums) == Pieces{0, 1, 2}));
    const IntervalBuffers vague = buffers_of({{3, 2}, {2, 3}, {3, 2}});
    CHECK((mdlp_pieces(vague.sums) == Pieces{2}));
}
