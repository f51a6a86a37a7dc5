// Python bindings of walking: tree/walk.py caches one Walker per tree.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "walking/forest.hpp"
#include "walking/links.hpp"
#include "walking/values.hpp"
#include "walking/walk.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

TreeArrays tree_of(const Arrays& nodes, const Arrays& questions, std::span<const std::int32_t> n_levels, int unseen) {
    TreeArrays tree;
    read_array(nodes, "first_child", tree.first_child);
    read_array(nodes, "n_branches", tree.n_branches);
    read_array(nodes, "question", tree.question);
    read_array(nodes, "missing_branch", tree.missing_branch);
    read_array(nodes, "weight", tree.weight);
    read_array(nodes, "surrogate_start", tree.surrogate_start);
    read_array(nodes, "surrogate_question", tree.surrogate_question);
    read_array(nodes, "surrogate_flipped", tree.surrogate_flipped);
    read_array(questions, "encoding", tree.encoding);
    read_array(questions, "column", tree.column);
    read_array(questions, "first", tree.first);
    read_array(questions, "missing_answer", tree.missing_answer);
    read_array(questions, "whole_start", tree.whole_start);
    read_array(questions, "reals_start", tree.reals_start);
    read_array(questions, "whole", tree.whole);
    read_array(questions, "reals", tree.reals);
    tree.n_levels = n_levels;
    tree.unseen = static_cast<Unseen>(unseen);
    return tree;
}

Walker walker_of(const Arrays& nodes, const Arrays& questions, const Array<std::int32_t>& n_levels, int unseen) {
    return Walker(tree_of(nodes, questions, span_of(n_levels), unseen));
}

std::vector<WalkColumn> columns_of(const Walker& walker, const List& given, std::int64_t n_rows) {
    if (given.size() != walker.columns().size())
        throw nb::value_error("columns must have one array per column in use.");
    std::vector<WalkColumn> columns;
    for (std::size_t i = 0; i < given.size(); ++i)
        columns.push_back(column_of(given[i], walker.n_levels()[i] == 0, n_rows));
    return columns;
}

std::int64_t walk(const Walker& walker, const List& given, Out<std::int32_t> nodes, nb::object has_unseen,
                  int threads) {
    const auto n_rows = static_cast<std::int64_t>(nodes.size());
    const auto columns = columns_of(walker, given, n_rows);
    std::uint8_t* unseen_flags = nullptr;
    if (!has_unseen.is_none()) {
        auto flags = nb::cast<Out<std::uint8_t>>(has_unseen, false);
        if (flags.size() != nodes.size()) throw nb::value_error("has_unseen_level must have one entry per row.");
        unseen_flags = flags.data();
    }
    return call_core(
        [&](Stop& stop) { return walker.walk(columns, n_rows, threads, stop, nodes.data(), unseen_flags); });
}

template <class T>
bool walk_rows(const Walker& walker, Matrix<const T> rows, Out<std::int32_t> nodes, int threads) {
    if (!walker.takes_rows()) throw nb::value_error("This tree cannot walk a row-major matrix; pass columns.");
    if (rows.shape(0) != nodes.size() ||
        (!walker.columns().empty() && static_cast<std::size_t>(walker.columns().back()) >= rows.shape(1)))
        throw nb::value_error("The shapes of the arrays do not match.");
    const auto n_rows = static_cast<std::int64_t>(nodes.size()), width = static_cast<std::int64_t>(rows.shape(1));
    return call_core(
        [&](Stop& stop) { return walker.walk_rows(rows.data(), n_rows, width, threads, stop, nodes.data()); });
}

void gather(const Walker& walker, Array<std::int32_t> nodes, Matrix<const double> values, Matrix<double> out,
            int threads) {
    if (values.shape(0) != walker.size() || out.shape(0) != nodes.size() || out.shape(1) != values.shape(1)) {
        throw nb::value_error("The shapes of the arrays do not match.");
    }
    for (const std::int32_t node : span_of(nodes))
        if (static_cast<std::size_t>(node) >= walker.size())
            throw nb::value_error("nodes must be node numbers of the tree.");
    call_core([&](Stop& stop) {
        gather_values(span_of(nodes), {values.data(), static_cast<std::int64_t>(values.shape(1))}, {threads, stop},
                      out.data());
    });
}

// `distributed` are the numbers of the rows that are distributed over branches, and the nodes where this happens.
using Distributed = std::pair<Array<std::int64_t>, Array<std::int32_t>>;
void mix_rows(const Walker& walker, const List& given, const Distributed& distributed, Matrix<const double> values,
              Matrix<double> out, int threads) {
    const auto& rows = distributed.first;
    const auto& nodes = distributed.second;
    const auto n_rows = given.size() > 0 ? static_cast<std::int64_t>(nb::len(nb::object(given[0]))) : 0;
    const auto columns = columns_of(walker, given, n_rows);
    if (values.shape(0) != walker.size() || out.shape(0) != rows.size() || nodes.size() != rows.size() ||
        out.shape(1) != values.shape(1)) {
        throw nb::value_error("The shapes of the arrays do not match.");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.data()[i] < 0 || rows.data()[i] >= n_rows || nodes.data()[i] < 0 ||
            static_cast<std::size_t>(nodes.data()[i]) >= walker.size()) {
            throw nb::value_error("rows and nodes must be row and node numbers.");
        }
    }
    call_core([&](Stop& stop) {
        const FractionalRows fractional{columns, span_of(rows), nodes.data()};
        mix_values(walker.nodes(), fractional, {values.data(), static_cast<std::int64_t>(values.shape(1))},
                   {threads, stop}, out.data());
    });
}

ForestWalker forest_of(std::int64_t width, const Array<std::int32_t>& n_levels) {
    if (width < 1) throw nb::value_error("width must be at least 1.");
    return ForestWalker(width, {n_levels.data(), n_levels.data() + n_levels.size()});
}

// `tree` has the arrays of the nodes, those of the questions, and the policy for unseen levels.
void add_tree(ForestWalker& forest, const std::tuple<Arrays, Arrays, int>& given, Matrix<const double> values,
              Array<double> labels, std::int32_t output, double weight) {
    const auto& [nodes, questions, unseen] = given;
    const auto& n_levels = forest.n_levels();
    const TreeArrays tree = tree_of(nodes, questions, {n_levels.data(), n_levels.size()}, unseen);
    if (values.shape(0) != tree.first_child.size()) throw nb::value_error("values must have one row per node.");
    forest.add(tree, {span_of(values), span_of(labels), output, weight});
}

std::int64_t add_up(const ForestWalker& forest, const List& given, Matrix<double> out, Out<std::uint8_t> shared,
                    Out<std::uint8_t> has_unseen, int threads) {
    const auto n_rows = static_cast<std::int64_t>(out.shape(0));
    if (out.shape(1) != static_cast<std::size_t>(forest.width()) || shared.size() != out.shape(0) ||
        has_unseen.size() != out.shape(0) || given.size() != forest.columns().size()) {
        throw nb::value_error("The shapes of the arrays do not match.");
    }
    std::vector<WalkColumn> columns(forest.n_levels().size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto at = static_cast<std::size_t>(forest.columns()[i]);
        columns[at] = column_of(given[i], forest.n_levels()[at] == 0, n_rows);
    }
    return call_core([&](Stop& stop) {
        return forest.add_up(columns, n_rows, {threads, stop}, out.data(), {shared.data(), has_unseen.data()});
    });
}

void link_all(Matrix<const double> scores, int link, Matrix<double> out, int threads) {
    const auto kind = static_cast<Link>(link);
    const auto width = static_cast<std::int64_t>(scores.shape(1));
    if (link < 0 || kind > Link::normalized || width < 1 || out.shape(0) != scores.shape(0) ||
        static_cast<std::int64_t>(out.shape(1)) != output_width(kind, width)) {
        throw nb::value_error("The shapes of the arrays do not match.");
    }
    const auto out_width = static_cast<std::int64_t>(out.shape(1));
    const auto n_rows = static_cast<std::int64_t>(scores.shape(0));
    call_core([&](Stop& stop) {
        in_ranges({n_rows, 8192, 8192}, threads, stop, [&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t row = begin; row < end; ++row)
                apply_link(kind, scores.data() + row * width, width, out.data() + row * out_width);
        });
    });
}

}  // namespace

void register_walking(nb::module_& m) {
    nb::class_<Walker>(m, "Walker", "The layout of a tree for walking.")
        .def(nb::new_(&walker_of), "nodes"_a, "questions"_a, "n_levels"_a, "unseen"_a)
        .def_prop_ro("columns", &Walker::columns, "The columns that some question uses.")
        .def("walk", &walk, "columns"_a, "nodes"_a.noconvert(), "has_unseen_level"_a.none(), "threads"_a,
             "Fills the node of each row (~node if it is distributed over branches); returns a rejected row or -1.")
        .def_prop_ro("takes_rows", &Walker::takes_rows, "Whether a row-major matrix can be walked in place.")
        .def("walk_rows", &walk_rows<float>, "rows"_a.noconvert(), "nodes"_a.noconvert(), "threads"_a,
             "Fills the node of each row of a matrix; False if a value is infinite.")
        .def("walk_rows", &walk_rows<double>, "rows"_a.noconvert(), "nodes"_a.noconvert(), "threads"_a,
             "Fills the node of each row of a matrix; False if a value is infinite.")
        .def("gather", &gather, "nodes"_a, "values"_a, "out"_a.noconvert(), "threads"_a,
             "Fills the values of the nodes where rows end.")
        .def("mix", &mix_rows, "columns"_a, "distributed"_a, "values"_a, "out"_a.noconvert(), "threads"_a,
             "Fills the mixtures of rows that are distributed over branches.");
    nb::class_<ForestWalker>(m, "ForestWalker", "The layout of many trees for walking.")
        .def(nb::new_(&forest_of), "width"_a, "n_levels"_a)
        .def_prop_ro("columns", &ForestWalker::columns, "The columns that some tree uses.")
        .def("expect", &ForestWalker::expect, "n_nodes"_a, "Reserves memory for the nodes of all trees together.")
        .def("add", &add_tree, "tree"_a, "values"_a, "labels"_a, "output"_a, "weight"_a,
             "Adds a tree; with labels it adds a vote for the label of the node of a row.")
        .def("finish", &ForestWalker::finish, "Builds the layout; no tree can be added afterwards.")
        .def("add_up", &add_up, "columns"_a, "out"_a.noconvert(), "shared"_a.noconvert(),
             "has_unseen_level"_a.noconvert(), "threads"_a,
             "Adds the values of the trees; marks distributed rows and rows with unseen levels; returns a rejected row "
             "or -1.");
    m.def("linked", &link_all, "scores"_a, "link"_a, "out"_a.noconvert(), "threads"_a,
          "Converts the sums of many trees to predictions.");
    m.def("default_threads", &default_threads, "The number of threads that is used by default.");
}
