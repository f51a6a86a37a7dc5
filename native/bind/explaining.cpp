// Python's door to the games: explanation/games.py makes one for every tree.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/walk_column.hpp"
#include "explaining/game.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

using Cube = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Game game_of(const Walker& walker, const Arrays& arrays, std::int64_t width, std::int32_t output,
             std::int32_t n_columns, std::int32_t n_outputs) {
    GameArrays given;
    given.edge_start = view<std::int32_t>(arrays, "edge_start");
    given.child = view<std::int32_t>(arrays, "child");
    given.share = view<double>(arrays, "share");
    given.has_stay = view<std::int8_t>(arrays, "has_stay");
    given.set = view<std::int32_t>(arrays, "set");
    given.set_start = view<std::int32_t>(arrays, "set_start");
    given.set_columns = view<std::int32_t>(arrays, "set_columns");
    given.values = view<double>(arrays, "values");
    given.width = width;
    given.output = output;
    return Game(walker, given, n_columns, n_outputs);
}

// The columns in use as pointers; `given` holds an array for every column of the table.
std::vector<WalkColumn> used_columns(const Walker& walker, const List& given, std::int64_t n_rows) {
    std::vector<WalkColumn> columns;
    for (std::size_t i = 0; i < walker.columns().size(); ++i) {
        const auto place = static_cast<std::size_t>(walker.columns()[i]);
        if (place >= given.size()) throw nb::value_error("one array for each column is needed");
        columns.push_back(column_of(given[place], walker.n_levels()[i] == 0, n_rows));
    }
    return columns;
}

std::vector<Member> members_of(const List& games, const List& columns, std::int64_t n_rows, const Cube& out) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < games.size(); ++i) {
        const Game& game = nb::cast<const Game&>(games[i]);
        if (out.shape(1) != static_cast<std::size_t>(game.n_columns) ||
            out.shape(2) != static_cast<std::size_t>(game.n_outputs)) {
            throw nb::value_error("shapes do not fit");
        }
        members.push_back({&game, used_columns(game.walker(), columns, n_rows), {}, {}});
    }
    return members;
}

void by_paths(const List& games, const List& columns, const List& points, Cube out, int threads) {
    auto members = members_of(games, columns, static_cast<std::int64_t>(out.shape(0)), out);
    if (points.size() != members.size()) throw nb::value_error("points are needed for every game");
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto pair = nb::cast<nb::tuple>(points[i]);
        const auto at = nb::cast<Array<double>>(pair[0], false), weight = nb::cast<Array<double>>(pair[1], false);
        const auto needed = static_cast<std::size_t>(members[i].game->most_players() + 1) / 2;
        if (at.size() != weight.size() || at.size() < needed) throw nb::value_error("too few points");
        members[i].points = {{at.data(), at.size()}, {weight.data(), weight.size()}};
    }
    bind::call_core([&](Stop& stop) {
        explain_by_paths(members, static_cast<std::int64_t>(out.shape(0)), threads, stop, out.data());
    });
}

void by_background(const List& games, const List& columns, const List& background, Array<double> weights, Cube out,
                   int threads) {
    auto members = members_of(games, columns, static_cast<std::int64_t>(out.shape(0)), out);
    for (Member& member : members) {
        member.background = used_columns(member.game->walker(), background, static_cast<std::int64_t>(weights.size()));
    }
    bind::call_core([&](Stop& stop) {
        explain_by_background(members, static_cast<std::int64_t>(out.shape(0)), {weights.data(), weights.size()},
                              threads, stop, out.data());
    });
}

}  // namespace

void register_explaining(nb::module_& m) {
    nb::class_<Game>(m, "Game", "A tree as a game that its columns play.")
        .def(nb::new_(&game_of), nb::keep_alive<0, 2>(), nb::arg("walker"), nb::arg("arrays"), nb::arg("width"),
             nb::arg("output"), nb::arg("n_columns"), nb::arg("n_outputs"))
        .def_prop_ro("most_players", &Game::most_players, "The columns on one path, at most.")
        .def_prop_ro("most_sets", &Game::most_sets, "The sets of several columns on one path, at most.");
    m.def("explain_by_paths", &by_paths, nb::arg("games"), nb::arg("columns"), nb::arg("points"),
          nb::arg("out").noconvert(), nb::arg("threads"),
          "Adds the contributions of every column; who has not joined goes where training rows went.");
    m.def("explain_by_background", &by_background, nb::arg("games"), nb::arg("columns"), nb::arg("background"),
          nb::arg("weights"), nb::arg("out").noconvert(), nb::arg("threads"),
          "Adds the contributions of every column; who has not joined is taken from background rows.");
}
