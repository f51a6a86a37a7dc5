// Python's door to the walk: a Walker is a tree laid out for walking, kept by tree/walk.py beside the tree it came
// from.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/walk_column.hpp"
#include "walking/forest.hpp"
#include "walking/links.hpp"
#include "walking/walk.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

TreeArrays tree_of(const Arrays& nodes, const Arrays& questions, std::span<const std::int32_t> n_levels, int unseen) {
    TreeArrays tree;
    tree.first_child = view<std::int32_t>(nodes, "first_child");
    tree.n_branches = view<std::int32_t>(nodes, "n_branches");
    tree.question = view<std::int32_t>(nodes, "question");
    tree.missing_branch = view<std::int32_t>(nodes, "missing_branch");
    tree.weight = view<double>(nodes, "weight");
    tree.surrogate_start = view<std::int64_t>(nodes, "surrogate_start");
    tree.surrogate_question = view<std::int32_t>(nodes, "surrogate_question");
    tree.surrogate_flipped = view<std::int8_t>(nodes, "surrogate_flipped");
    tree.encoding = view<std::int8_t>(questions, "encoding");
    tree.column = view<std::int32_t>(questions, "column");
    tree.first = view<std::int32_t>(questions, "first");
    tree.missing_answer = view<std::int32_t>(questions, "missing_answer");
    tree.whole_start = view<std::int64_t>(questions, "whole_start");
    tree.reals_start = view<std::int64_t>(questions, "reals_start");
    tree.whole = view<std::int32_t>(questions, "whole");
    tree.reals = view<double>(questions, "reals");
    tree.n_levels = n_levels;
    tree.unseen = static_cast<Unseen>(unseen);
    return tree;
}

Walker walker_of(const Arrays& nodes, const Arrays& questions, const Array<std::int32_t>& n_levels, int unseen) {
    return Walker(tree_of(nodes, questions, {n_levels.data(), n_levels.size()}, unseen));
}

std::vector<WalkColumn> columns_of(const Walker& walker, const List& given, std::int64_t n_rows) {
    if (given.size() != walker.columns().size()) throw nb::value_error("one array for each column in use is needed");
    std::vector<WalkColumn> columns;
    for (std::size_t i = 0; i < given.size(); ++i)
        columns.push_back(column_of(given[i], walker.n_levels()[i] == 0, n_rows));
    return columns;
}

std::int64_t walk(const Walker& walker, const List& given, Out<std::int32_t> nodes, nb::object met_unseen,
                  int threads) {
    const auto n_rows = static_cast<std::int64_t>(nodes.size());
    const auto columns = columns_of(walker, given, n_rows);
    std::uint8_t* met = nullptr;
    if (!met_unseen.is_none()) {
        auto flags = nb::cast<Out<std::uint8_t>>(met_unseen, false);
        if (flags.size() != nodes.size()) throw nb::value_error("one flag a row is needed");
        met = flags.data();
    }
    std::int64_t refused = -1;
    bind::call_core([&](Stop& stop) { refused = walker.walk(columns, n_rows, threads, stop, nodes.data(), met); });
    return refused;
}

template <class T>
bool walk_rows(const Walker& walker, Matrix<const T> rows, Out<std::int32_t> nodes, int threads) {
    if (!walker.takes_rows()) throw nb::value_error("this tree needs its rows as columns");
    if (rows.shape(0) != nodes.size() ||
        (!walker.columns().empty() && static_cast<std::size_t>(walker.columns().back()) >= rows.shape(1)))
        throw nb::value_error("shapes do not fit");
    bool is_finite = true;
    bind::call_core([&](Stop& stop) {
        is_finite = walker.walk_rows(rows.data(), static_cast<std::int64_t>(nodes.size()),
                                     static_cast<std::int64_t>(rows.shape(1)), threads, stop, nodes.data());
    });
    return is_finite;
}

void gather(const Walker& walker, Array<std::int32_t> nodes, Matrix<const double> values, Matrix<double> out,
            int threads) {
    if (values.shape(0) != walker.size() || out.shape(0) != nodes.size() || out.shape(1) != values.shape(1)) {
        throw nb::value_error("shapes do not fit");
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (static_cast<std::size_t>(nodes.data()[i]) >= walker.size()) throw nb::value_error("a node lies outside");
    }
    bind::call_core([&](Stop& stop) {
        walker.gather(nodes.data(), static_cast<std::int64_t>(nodes.size()), values.data(),
                      static_cast<std::int64_t>(values.shape(1)), threads, stop, out.data());
    });
}

void mix_values(const Walker& walker, const List& given, std::int64_t n_rows, Array<std::int64_t> rows,
                Array<std::int32_t> nodes, Matrix<const double> values, Matrix<double> out, int threads) {
    const auto columns = columns_of(walker, given, n_rows);
    if (values.shape(0) != walker.size() || out.shape(0) != rows.size() || nodes.size() != rows.size() ||
        out.shape(1) != values.shape(1)) {
        throw nb::value_error("shapes do not fit");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.data()[i] < 0 || rows.data()[i] >= n_rows || nodes.data()[i] < 0 ||
            static_cast<std::size_t>(nodes.data()[i]) >= walker.size()) {
            throw nb::value_error("a row or node lies outside");
        }
    }
    bind::call_core([&](Stop& stop) {
        walker.mix(columns, {rows.data(), rows.size()}, nodes.data(), values.data(),
                   static_cast<std::int64_t>(values.shape(1)), threads, stop, out.data());
    });
}

ForestWalker forest_of(std::int64_t width, const Array<std::int32_t>& n_levels) {
    if (width < 1) throw nb::value_error("at least one number is added up");
    return ForestWalker(width, {n_levels.data(), n_levels.data() + n_levels.size()});
}

void add_tree(ForestWalker& forest, const Arrays& nodes, const Arrays& questions, int unseen,
              Matrix<const double> values, Array<double> answer, bool is_vote, std::int32_t output, double weight) {
    const auto& n_levels = forest.n_levels();
    const TreeArrays tree = tree_of(nodes, questions, {n_levels.data(), n_levels.size()}, unseen);
    if (values.shape(0) != tree.first_child.size()) throw nb::value_error("values of every node are needed");
    forest.add(tree, {values.data(), values.size()}, {answer.data(), answer.size()}, is_vote, output, weight);
}

std::int64_t add_up(const ForestWalker& forest, const List& given, Matrix<double> out, Out<std::uint8_t> shared,
                    Out<std::uint8_t> met_unseen, int threads) {
    const auto n_rows = static_cast<std::int64_t>(out.shape(0));
    if (out.shape(1) != static_cast<std::size_t>(forest.width()) || shared.size() != out.shape(0) ||
        met_unseen.size() != out.shape(0) || given.size() != forest.columns().size()) {
        throw nb::value_error("shapes do not fit");
    }
    std::vector<WalkColumn> columns(forest.n_levels().size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto at = static_cast<std::size_t>(forest.columns()[i]);
        columns[at] = column_of(given[i], forest.n_levels()[at] == 0, n_rows);
    }
    std::int64_t refused = -1;
    bind::call_core([&](Stop& stop) {
        refused = forest.add_up(columns, n_rows, threads, stop, out.data(), shared.data(), met_unseen.data());
    });
    return refused;
}

void link_all(Matrix<const double> scores, int link, Matrix<double> out, int threads) {
    const auto kind = static_cast<Link>(link);
    const auto width = static_cast<std::int64_t>(scores.shape(1));
    if (link < 0 || kind > Link::shares || width < 1 || out.shape(0) != scores.shape(0) ||
        static_cast<std::int64_t>(out.shape(1)) != linked_width(kind, width)) {
        throw nb::value_error("shapes do not fit");
    }
    constexpr std::int64_t kRowsATask = 8192;
    const auto n_rows = static_cast<std::int64_t>(scores.shape(0));
    const auto task = [&](std::int64_t index, int) {
        const std::int64_t end = std::min(n_rows, (index + 1) * kRowsATask);
        for (std::int64_t row = index * kRowsATask; row < end; ++row)
            linked(kind, scores.data() + row * width, width,
                   out.data() + row * static_cast<std::int64_t>(out.shape(1)));
    };
    if (n_rows <= kRowsATask) return task(0, 0);
    bind::call_core([&](Stop& stop) { parallel_for((n_rows + kRowsATask - 1) / kRowsATask, threads, stop, task); });
}

}  // namespace

void register_walking(nb::module_& m) {
    nb::class_<Walker>(m, "Walker", "A tree laid out for walking.")
        .def(nb::new_(&walker_of), nb::arg("nodes"), nb::arg("questions"), nb::arg("n_levels"), nb::arg("unseen"))
        .def_prop_ro("columns", &Walker::columns, "The columns that some question looks at.")
        .def("walk", &walk, nb::arg("columns"), nb::arg("nodes").noconvert(), nb::arg("met_unseen").none(),
             nb::arg("threads"),
             "Fills the node of every row (~node where it is shared out); returns a refused row or -1.")
        .def_prop_ro("takes_rows", &Walker::takes_rows, "Whether rows of numbers can be walked as they lie.")
        .def("walk_rows", &walk_rows<float>, nb::arg("rows").noconvert(), nb::arg("nodes").noconvert(),
             nb::arg("threads"), "Fills the node of every row of a matrix; False if a value is infinite.")
        .def("walk_rows", &walk_rows<double>, nb::arg("rows").noconvert(), nb::arg("nodes").noconvert(),
             nb::arg("threads"), "Fills the node of every row of a matrix; False if a value is infinite.")
        .def("gather", &gather, nb::arg("nodes"), nb::arg("values"), nb::arg("out").noconvert(), nb::arg("threads"),
             "Fills the values of the nodes where rows end.")
        .def("mix", &mix_values, nb::arg("columns"), nb::arg("n_rows"), nb::arg("rows"), nb::arg("nodes"),
             nb::arg("values"), nb::arg("out").noconvert(), nb::arg("threads"),
             "Fills the mixtures of rows that are shared out.");
    nb::class_<ForestWalker>(m, "ForestWalker", "Many trees laid out for walking.")
        .def(nb::new_(&forest_of), nb::arg("width"), nb::arg("n_levels"))
        .def_prop_ro("columns", &ForestWalker::columns, "The columns that some tree looks at.")
        .def("expect", &ForestWalker::expect, nb::arg("n_nodes"), "Makes room for the nodes of all trees together.")
        .def("add", &add_tree, nb::arg("nodes"), nb::arg("questions"), nb::arg("unseen"), nb::arg("values"),
             nb::arg("answer"), nb::arg("is_vote"), nb::arg("output"), nb::arg("weight"), "Adds a tree.")
        .def("finish", &ForestWalker::finish, "Lays the trees out; nothing is added afterwards.")
        .def("add_up", &add_up, nb::arg("columns"), nb::arg("out").noconvert(), nb::arg("shared").noconvert(),
             nb::arg("met_unseen").noconvert(), nb::arg("threads"),
             "Adds what the trees say to every row; marks rows shared out or unseen; returns a refused row or -1.");
    m.def("linked", &link_all, nb::arg("scores"), nb::arg("link"), nb::arg("out").noconvert(), nb::arg("threads"),
          "Fills the answers that sums of many trees stand for.");
    m.def("default_threads", &default_threads, "The threads used when none are asked for.");
}
