// Python bindings of the games: explanation/games.py creates one per tree.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "explaining/game.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

using Cube = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Game game_of(const Walker& walker, const Arrays& arrays, std::int64_t width, std::int32_t output,
             std::int32_t n_columns, std::int32_t n_outputs) {
    GameArrays given;
    read_array(arrays, "edge_start", given.edge_start);
    read_array(arrays, "child", given.child);
    read_array(arrays, "share", given.fraction);
    read_array(arrays, "has_stay", given.has_stay);
    read_array(arrays, "set", given.set);
    read_array(arrays, "set_start", given.set_start);
    read_array(arrays, "set_columns", given.set_columns);
    read_array(arrays, "values", given.values);
    given.width = width;
    given.output = output;
    return Game(walker, std::move(given), n_columns, n_outputs);
}

// Pointers to the columns in use; `given` has one array per column of the table.
std::vector<WalkColumn> used_columns(const Walker& walker, const List& given, std::int64_t n_rows) {
    std::vector<WalkColumn> columns;
    for (std::size_t i = 0; i < walker.columns().size(); ++i) {
        const auto index = static_cast<std::size_t>(walker.columns()[i]);
        if (index >= given.size()) throw nb::value_error("columns must have one array per column of the table.");
        columns.push_back(column_of(given[index], walker.n_levels()[i] == 0, n_rows));
    }
    return columns;
}

std::vector<ExplainedTree> trees_of(const List& games, const List& columns, std::int64_t n_rows, const Cube& out) {
    std::vector<ExplainedTree> trees;
    for (std::size_t i = 0; i < games.size(); ++i) {
        const Game& game = nb::cast<const Game&>(games[i]);
        if (out.shape(1) != static_cast<std::size_t>(game.n_columns) ||
            out.shape(2) != static_cast<std::size_t>(game.n_outputs)) {
            throw nb::value_error("The shape of out must be (rows, columns, outputs).");
        }
        trees.push_back({&game, used_columns(game.walker(), columns, n_rows), {}, {}});
    }
    return trees;
}

void by_paths(const List& games, const List& columns, const List& points, Cube out, int threads) {
    auto trees = trees_of(games, columns, static_cast<std::int64_t>(out.shape(0)), out);
    if (points.size() != trees.size()) throw nb::value_error("points must have one entry per game.");
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const auto pair = nb::cast<nb::tuple>(points[i]);
        const auto at = nb::cast<Array<double>>(pair[0], false), weight = nb::cast<Array<double>>(pair[1], false);
        const auto needed = static_cast<std::size_t>(trees[i].game->max_players() + 1) / 2;
        if (at.size() != weight.size() || at.size() < needed)
            throw nb::value_error("points must have at least (most_players + 1) / 2 entries.");
        trees[i].points = {span_of(at), span_of(weight)};
    }
    call_core([&](Stop& stop) {
        explain_by_paths(trees, static_cast<std::int64_t>(out.shape(0)), threads, stop, out.data());
    });
}

void by_background(const List& games, const List& columns, const List& background, Array<double> weights, Cube out,
                   int threads) {
    auto trees = trees_of(games, columns, static_cast<std::int64_t>(out.shape(0)), out);
    for (ExplainedTree& tree : trees) {
        tree.background = used_columns(tree.game->walker(), background, static_cast<std::int64_t>(weights.size()));
    }
    call_core([&](Stop& stop) {
        explain_by_background(trees, static_cast<std::int64_t>(out.shape(0)), span_of(weights), threads, stop,
                              out.data());
    });
}

}  // namespace

void register_explaining(nb::module_& m) {
    nb::class_<Game>(m, "Game", "A tree as a cooperative game of its columns.")
        .def(nb::new_(&game_of), nb::keep_alive<0, 2>(), "walker"_a, "arrays"_a, "width"_a, "output"_a, "n_columns"_a,
             "n_outputs"_a)
        .def_prop_ro("most_players", &Game::max_players, "Maximum number of columns on one path.")
        .def_prop_ro("most_sets", &Game::max_sets, "Maximum number of sets of several columns on one path.");
    m.def("explain_by_paths", &by_paths, "games"_a, "columns"_a, "points"_a, "out"_a.noconvert(), "threads"_a,
          "Adds the contributions of every column; columns outside the coalition follow the training rows.");
    m.def("explain_by_background", &by_background, "games"_a, "columns"_a, "background"_a, "weights"_a,
          "out"_a.noconvert(), "threads"_a,
          "Adds the contributions of every column; columns outside the coalition have values of background rows.");
}
