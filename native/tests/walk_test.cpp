// Tests of walking: both loops on a tree of three leaves, and trees with indices out of range.
#include "walking/walk.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/example_tree.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

// x <= 1, then for larger x: level 0 goes left, level 1 right, level 2 has no branch.
struct Example : ExampleTree {
    Example()
        : ExampleTree{.first_child = {1, -1, 3, -1, -1},
                      .n_branches = {2, 0, 2, 0, 0},
                      .question = {0, -1, 1, -1, -1},
                      .missing_branch = {1, STAY, STAY, STAY, STAY},
                      .weight = {10, 4, 6, 2, 4},
                      .surrogate_start = {0, 0, 0, 0, 0, 0},
                      .encoding = {0, 1},
                      .column = {0, 1},
                      .first = {0, 0},
                      .missing_answer = {-1, -1},
                      .whole_start = {0, 0, 3},
                      .reals_start = {0, 1, 1},
                      .whole = {0, 1, -1},
                      .reals = {1.0},
                      .n_levels = {0, 3}} {}
};

std::vector<std::int32_t> end_nodes(const Example& example, std::vector<double> numbers,
                                    std::vector<std::int32_t> codes, std::int64_t* rejected = nullptr) {
    const Walker walker(example.arrays());
    const std::array<WalkColumn, 2> columns{WalkColumn{numbers.data(), nullptr}, WalkColumn{nullptr, codes.data()}};
    std::vector<std::int32_t> nodes(numbers.size(), -9);
    Stop stop;
    const std::int64_t row =
        walker.walk(columns, static_cast<std::int64_t>(numbers.size()), 2, stop, nodes.data(), nullptr);
    if (rejected != nullptr) *rejected = row;
    return nodes;
}

constexpr double NAN_VALUE = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST("known values, missing values and unseen levels end at the nodes of their policies") {
    const auto nodes = end_nodes(Example{}, {0.5, 1.0, 2.0, 2.0, NAN_VALUE, 2.0, 2.0}, {0, 0, 0, 1, 1, 2, -1});
    CHECK((nodes == std::vector<std::int32_t>{1, 1, 3, 4, 4, 4, 2}));
}

TEST("ten thousand rows end at the same nodes as single rows") {
    std::vector<double> numbers(10'000);
    std::vector<std::int32_t> codes(10'000);
    for (int i = 0; i < 10'000; ++i) {
        numbers[static_cast<std::size_t>(i)] = i % 7 == 0 ? NAN_VALUE : i % 3;
        codes[static_cast<std::size_t>(i)] = i % 5 - 2;
    }
    const auto nodes = end_nodes(Example{}, numbers, codes);
    for (std::size_t i = 0; i < 10'000; i += 97) CHECK(nodes[i] == end_nodes(Example{}, {numbers[i]}, {codes[i]})[0]);
}

TEST("the first row with an unseen level is rejected by the policy error") {
    Example example;
    example.unseen = Unseen::error;
    std::int64_t rejected = -1;
    end_nodes(example, {0.0, 2.0, 2.0, 2.0}, {2, 0, 2, 2}, &rejected);
    CHECK(rejected == 2);
}

TEST("a tree with an index out of range is rejected") {
    for (int wrong = 0; wrong < 5; ++wrong) {
        Example example;
        if (wrong == 0) example.first_child[2] = 4;
        if (wrong == 1) example.question[0] = 2;
        if (wrong == 2) example.column[1] = 2;
        if (wrong == 3) example.whole_start[2] = 99;
        if (wrong == 4) example.whole[0] = 2;
        bool rejected = false;
        try {
            Walker walker(example.arrays());
        } catch (const std::invalid_argument&) {
            rejected = true;
        }
        CHECK(rejected);
    }
}
