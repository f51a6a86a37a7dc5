// Contributions without Python: a tree of three leaves in both games (example E12.3).
#include <cmath>
#include <stdexcept>

#include "explaining/game.hpp"
#include "tests/example_tree.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

// x0 <= 0.5 ? (x1 <= 0.5 ? 1 [cover 30] : 5 [cover 10]) : 10 [cover 60]
struct Example : ExampleTree {
    Example()
        : ExampleTree{.first_child = {1, 3, -1, -1, -1},
                      .n_branches = {2, 2, 0, 0, 0},
                      .question = {0, 1, -1, -1, -1},
                      .missing_branch = {0, 0, 0, 0, 0},
                      .weight = {100, 40, 60, 30, 10},
                      .surrogate_start = {0, 0, 0, 0, 0, 0},
                      .encoding = {0, 0},
                      .column = {0, 1},
                      .first = {0, 0},
                      .missing_answer = {-1, -1},
                      .whole_start = {0, 0, 0},
                      .reals_start = {0, 1, 2},
                      .whole = {},
                      .reals = {0.5, 0.5},
                      .n_levels = {0, 0}} {}

    std::vector<std::int32_t> edge_start{0, 2, 4, 4, 4, 4}, child{1, 2, 3, 4}, set{0, 1, -1, -1, -1};
    std::vector<std::int32_t> set_start{0, 1, 2}, set_columns{0, 1};
    std::vector<double> fraction{0.4, 0.6, 0.75, 0.25}, values{0, 0, 10, 1, 5};
    std::vector<std::int8_t> has_stay{0, 0, 0, 0, 0};

    Walker walker() const { return Walker(arrays()); }

    GameArrays game() const {
        GameArrays game;
        game.edge_start = edge_start;
        game.child = child;
        game.fraction = fraction;
        game.has_stay = has_stay;
        game.set = set;
        game.set_start = set_start;
        game.set_columns = set_columns;
        game.values = values;
        return game;
    }
};

bool is_near(double one, double other) { return std::abs(one - other) < 1e-12; }

}  // namespace

TEST("contributions of both games are those of the worked example") {
    const Example example;
    const Walker walker = example.walker();
    const Game game(walker, example.game(), 2, 1);
    CHECK(game.max_players() == 2);
    const std::vector<double> x0{0.0}, x1{1.0}, z0{0, 1, 1}, z1{0, 1, 0};
    const std::vector<double> at{0.5}, weight{1.0}, thirds(3, 1.0 / 3);
    ExplainedTree tree{&game, {}, {}, {at, weight}};
    tree.columns.resize(2);
    tree.columns[0].numbers = x0.data();
    tree.columns[1].numbers = x1.data();
    Stop stop;
    double paths[2] = {};
    explain_by_paths({&tree, 1}, 1, 1, stop, paths);
    CHECK(is_near(paths[0], -3.9) && is_near(paths[1], 2.1));
    tree.background.resize(2);
    tree.background[0].numbers = z0.data();
    tree.background[1].numbers = z1.data();
    double mixed[2] = {};
    explain_by_background({&tree, 1}, 1, thirds, 1, stop, mixed);
    CHECK(is_near(mixed[0], -4.0) && is_near(mixed[1], 2.0));
}

TEST("a game with an edge out of range is rejected") {
    Example example;
    const Walker walker = example.walker();
    example.child[3] = 9;
    bool is_rejected = false;
    try {
        const Game game(walker, example.game(), 2, 1);
    } catch (const std::invalid_argument&) {
        is_rejected = true;
    }
    CHECK(is_rejected);
}
