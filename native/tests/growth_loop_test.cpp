// Tests of the loop of growers, its schedules and the size of a tree, and of the cells that nodes store.
#include "nodes/growth_loop.hpp"

#include <vector>

#include "statistics/cell_sums.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

struct Named {
    int name = 0, rank = 0;
};

// The nodes 1 to 7 of a full tree, each split into 2 n and 2 n + 1, in the order in which they are visited.
template <class Schedule, class Push>
std::vector<int> visited(Schedule& schedule, const Push& push) {
    std::vector<int> out;
    grow_nodes(schedule, [&](const Named& node) {
        out.push_back(node.name);
        for (int child = 2 * node.name; child <= 2 * node.name + 1 && child < 8; ++child) push(Named{child, child % 4});
        return true;
    });
    return out;
}

}  // namespace

TEST("a stack visits the node that was added last, a ranked schedule the first of its order") {
    Stack<Named> stack;
    stack.open.push_back({1, 0});
    CHECK((visited(stack, [&](Named node) { stack.open.push_back(node); }) == std::vector<int>{1, 3, 7, 6, 2, 5, 4}));
    const auto later = [](const Named& a, const Named& b) { return a.rank > b.rank; };
    RankedNodes<Named, decltype(later)> ranked(later);
    ranked.push({1, 0});
    // ranks: 2 and 6 have 2; 3 and 7 have 3; 4 has 0; 5 has 1
    CHECK(
        (visited(ranked, [&](Named node) { ranked.push(std::move(node)); }) == std::vector<int>{1, 2, 4, 5, 3, 6, 7}));
}

TEST("a step that returns false ends the growth; other nodes stay open") {
    Stack<Named> stack;
    stack.open = {{1, 0}, {2, 0}, {3, 0}};
    int steps = 0;
    grow_nodes(stack, [&](const Named& node) { return ++steps, node.name != 2; });
    CHECK(steps == 2 && stack.open.size() == 1 && stack.open[0].name == 1);
}

TEST("a split is added to the size of a tree only if there is room for all its branches") {
    StopRules stops;
    stops.max_leaves = 4;
    TreeSize size;
    CHECK(size.add_split(stops, 3) == Reason::none && size.leaves == 3 && size.nodes == 4);
    CHECK(size.add_split(stops, 3) == Reason::leaves && size.leaves == 3 && size.nodes == 4);
    CHECK(size.add_split(stops, 2) == Reason::none && size.leaves == 4 && size.nodes == 6);
    stops.max_leaves = NO_LIMIT;
    stops.max_nodes = 7;
    CHECK(size.add_split(stops, 2) == Reason::nodes);
}

TEST("a cell keeps its sums whether it is small or large, also when it is copied, moved or assigned") {
    for (const std::size_t n : {0, 1, 3, 4, 100}) {
        std::vector<std::int64_t> sums(n);
        for (std::size_t k = 0; k < n; ++k) sums[k] = static_cast<std::int64_t>(7 * k) - 5;
        const CellSums cell = sums;
        CellSums copy = cell, small{1, 2};
        CellSums moved = std::move(copy);
        small = moved;
        CHECK(small.size() == n && std::vector<std::int64_t>(small) == sums);
        small.assign(n, 9);
        CHECK(std::vector<std::int64_t>(small) == std::vector<std::int64_t>(n, 9));
        CHECK(std::vector<std::int64_t>(moved) == sums);
    }
}
