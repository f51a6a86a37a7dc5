// Python bindings of boosting from pieces: the rows of a piece, whose arrays belong to Python, and the tree that is
// grown from their sums.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/growth.hpp"
#include "bind/piece_codes.hpp"
#include "pieces/boosted_piece.hpp"
#include "pieces/tree_from_sums.hpp"

namespace nb = nanobind;

// Units travel between processes as a tuple.
template <>
struct nanobind::detail::type_caster<hornbeam::Units> {
    NB_TYPE_CASTER(hornbeam::Units, const_name("tuple[float, float, int]"))
    using Fields = std::tuple<double, double, int>;

    bool from_python(handle src, std::uint8_t, cleanup_list*) noexcept {
        Fields fields;
        if (!nanobind::try_cast(src, fields)) return false;
        std::tie(value.g, value.h, value.count_bits) = fields;
        return true;
    }
    static handle from_cpp(const hornbeam::Units& units, rv_policy policy, cleanup_list* cleanup) noexcept {
        return make_caster<Fields>::from_cpp(Fields(units.g, units.h, units.count_bits), policy, cleanup);
    }
};

using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

// Calls use(name, array) for the arrays of a tree.
template <class Tree, class Use>
void each_array(Tree& tree, const Use& use) {
    use("first_child", tree.first_child);
    use("column", tree.column);
    use("cut", tree.cut);
    use("map_start", tree.map_start);
    use("missing", tree.missing);
    use("maps", tree.maps);
    use("step", tree.step);
}

// The tree refers to the arrays of the dict.
CodedTree coded_tree_of(const nb::dict& dict) {
    DictReader given(dict, "tree");
    CodedTree out;
    each_array(out, [&](const char* name, auto& to) { read_field(given, name, to); });
    given.check_all_read();
    return out;
}

PieceBoostSettings piece_settings_of(const nb::dict& dict) {
    DictReader given(dict, "settings of the piece");
    PieceBoostSettings out;
    given.take_enum("loss", out.loss);
    given.take("n_classes", out.n_classes);
    given.take("curvature", out.curvature);
    given.take("is_weighted", out.is_weighted);
    given.take("weight_step", out.weight_step);
    given.take("mean_weight", out.mean_weight);
    given.take("n_training", out.n_training);
    given.take("held_out_fraction", out.held_out.fraction);
    given.take("held_out_key", out.held_out.key);
    if (out.held_out.fraction < 1.0) out.held_out.method = RowSample::Method::part;
    given.take("rows_per_tree", out.rows_per_tree);
    given.take("seed", out.seed);
    given.take("n_codes", out.n_codes);
    given.check_all_read();
    return out;
}

template <class T>
T* writable(DictReader& given, const char* name, std::int64_t size) {
    const auto array = nb::cast<Out<T>>(given.get(name), false);
    if (static_cast<std::int64_t>(array.size()) != size)
        throw nb::value_error("An array of the piece has another size.");
    return array.data();
}

BoostedRows boosted_rows_of(const nb::dict& dict, const PieceBoostSettings& settings) {
    DictReader given(dict, "rows");
    BoostedRows out;
    out.n = nb::cast<std::int64_t>(given.get("n_rows"));
    out.first_row = nb::cast<std::int64_t>(given.get("first_row"));
    const auto codes = nb::cast<nb::list>(given.get("codes"));
    if (codes.size() != settings.n_codes.size()) throw nb::value_error("The piece has another number of columns.");
    for (std::size_t c = 0; c < codes.size(); ++c) {
        out.codes.push_back(codes_of(codes[c], out.n));
        check_codes(out.codes[c], out.n, settings.n_codes[c]);
    }
    const nb::handle target = given.get("target"), weights = given.get("weights");
    if (settings.loss == Loss::logistic || settings.loss == Loss::softmax)
        out.classes = data_of<std::uint16_t>(target, out.n);
    else
        out.numbers = data_of<double>(target, out.n);
    if (settings.is_weighted) out.weights = data_of<double>(weights, out.n);
    out.scores = writable<double>(given, "scores", out.n * settings.outputs());
    out.rows = writable<std::uint32_t>(given, "rows", out.n);
    out.pairs = reinterpret_cast<Pair*>(writable<std::int64_t>(given, "pairs", 2 * out.n));
    const std::int64_t n_softmax = settings.loss == Loss::softmax ? out.n : 0;
    double* softmax = writable<double>(given, "softmax", 2 * n_softmax);
    out.softmax = {softmax, softmax + n_softmax};
    given.check_all_read();
    return out;
}

using Indices = Array<std::int32_t>;
using Sums64 = Out<std::int64_t>;

// A member function of a class of the core, called without the interpreter lock.
template <class T, class... A>
auto unlocked(void (T::*member)(A...)) {
    return [member](T& self, A... given) { call_core([&](Stop&) { (self.*member)(given...); }); };
}

template <class T>
void check_size(const Out<T>& sums, std::size_t size) {
    if (sums.size() != size) throw nb::value_error("The sums do not fit the request.");
}

void make_piece(BoostedPiece* self, const nb::dict& settings, const nb::dict& rows) {
    PieceBoostSettings found = piece_settings_of(settings);
    BoostedRows own = boosted_rows_of(rows, found);
    new (self) BoostedPiece(std::move(found), std::move(own));
}

void apply_tree(BoostedPiece& piece, const nb::dict& tree, int output, bool is_current) {
    const CodedTree coded = coded_tree_of(tree);
    if (!coded.is_complete()) throw nb::value_error("The tree is not complete.");
    call_core([&](Stop&) { piece.apply(coded, output, is_current); });
}

nb::tuple largest_bounds(const BoostedPiece& piece, int output) {
    const Bounds found = call_core([&](Stop&) { return piece.largest(output); });
    return nb::make_tuple(found.g, found.h);
}

nb::tuple piece_losses(const BoostedPiece& piece) {
    const PieceLosses found = call_core([&](Stop&) { return piece.losses(); });
    const auto cells = [](const LimbSum& sum) {
        return owned(std::vector<std::int64_t>(sum.cells().begin(), sum.cells().end()));
    };
    return nb::make_tuple(cells(found.training), found.training_weight, cells(found.held_out), found.held_out_weight);
}

void add_root(const BoostedPiece& piece, const Sums64& to) {
    if (to.size() != 2) throw nb::value_error("The sums of the root are two numbers.");
    const Sums sums = call_core([&](Stop&) { return piece.root(); });
    to.data()[0] += sums.g;
    to.data()[1] += sums.hc;
}

// Calls add(tree, nodes) for sums of `width` numbers per node.
template <class Add>
void add_to_nodes(const nb::dict& tree, const Indices& nodes, const Sums64& to, std::size_t width, const Add& add) {
    const CodedTree coded = coded_tree_of(tree);
    check_size(to, width * nodes.size());
    for (const std::int32_t node : span_of(nodes))
        if (node < 0 || node >= coded.n_nodes()) throw nb::value_error("A node of the request does not exist.");
    call_core([&](Stop&) { add(coded, span_of(nodes)); });
}

void add_cells(BoostedPiece& piece, const nb::dict& tree, const Indices& nodes, const Indices& columns,
               const Sums64& to) {
    const auto of = span_of(columns);
    const auto add = [&](const auto& coded, auto found) { piece.add_cells(coded, found, of, to.data()); };
    add_to_nodes(tree, nodes, to, piece.cells_per_node(of), add);
}

void add_sums(BoostedPiece& piece, const nb::dict& tree, const Indices& nodes, const Sums64& to) {
    const auto add = [&](const auto& coded, auto found) { piece.add_sums(coded, found, to.data()); };
    add_to_nodes(tree, nodes, to, 2, add);
}

void add_moments(BoostedPiece& piece, const nb::dict& tree, const Indices& nodes, const Sums64& to) {
    const auto add = [&](const auto& coded, auto found) { piece.add_moments(coded, found, to.data()); };
    add_to_nodes(tree, nodes, to, BoostedPiece::MOMENTS, add);
}

PieceColumns piece_columns_of(const nb::list& given) {
    PieceColumns out;
    for (const nb::handle item : given) {
        const auto fields = nb::cast<nb::tuple>(item);
        BinnedColumn column;
        column.kind = static_cast<Kind>(nb::cast<int>(fields[0]));
        const auto low = nb::cast<Array<double>>(fields[1], false), high = nb::cast<Array<double>>(fields[2], false);
        const auto bins = nb::cast<Array<std::uint32_t>>(fields[3], false);
        column.n_bins = static_cast<std::uint32_t>(low.size());
        column.has_missing = true;
        column.low.assign(low.data(), low.data() + low.size());
        column.high.assign(high.data(), high.data() + high.size());
        out.table.columns.push_back(std::move(column));
        out.bin_of.emplace_back(bins.data(), bins.data() + bins.size());
        out.n_levels.push_back(nb::cast<std::int32_t>(fields[4]));
    }
    return out;
}

void make_tree(TreeFromSums* self, const nb::dict& plan, const nb::list& columns, bool is_weighted,
               std::int64_t round_nodes, std::int64_t held_nodes) {
    DictReader given(plan, "plan");
    BoostSettings settings = boost_settings_of(given);
    for (const char* name : {"outputs", "n_rows"}) given.find(name);  // only the Python side uses them
    given.check_all_read();
    new (self)
        TreeFromSums(std::move(settings), piece_columns_of(columns), is_weighted, SumsLimits{round_nodes, held_nodes});
}

Units start_tree(TreeFromSums& tree, double largest_g, double largest_h, std::int64_t n_rows, std::uint64_t number,
                 bool is_joint) {
    const Units units = units_for(largest_g, largest_h, n_rows);
    tree.start(units, number, is_joint);
    return units;
}

void refit_leaves(TreeFromSums& tree, const Units& units, const Array<std::int64_t>& sums) {
    check_size(sums, 2 * tree.request().nodes.size());
    call_core([&](Stop&) { tree.refit(units, sums.data()); });
}

int next_wanted(TreeFromSums& tree) {
    call_core([&](Stop&) { tree.next(); });
    return static_cast<int>(tree.request().wanted);
}

nb::dict coded_arrays(const TreeFromSums& tree) {
    CodedTreeArrays from = tree.coded();
    nb::dict out;
    each_array(from, [&](const char* name, auto& values) { out[name] = owned(std::move(values)); });
    return out;
}

std::size_t cells_requested(const TreeFromSums& tree) {
    return static_cast<std::size_t>(tree.request().cells_per_node);
}

void answer_root(TreeFromSums& tree, const Array<std::int64_t>& sums, const Array<std::int64_t>& cells) {
    check_size(sums, 2);
    check_size(cells, cells_requested(tree));
    call_core([&](Stop&) { tree.answer_root({sums.data()[0], sums.data()[1]}, cells.data()); });
}

void answer_cells(TreeFromSums& tree, const Array<std::int64_t>& cells) {
    check_size(cells, tree.request().nodes.size() * cells_requested(tree));
    call_core([&](Stop&) { tree.answer_cells(cells.data()); });
}

void answer_moments(TreeFromSums& tree, const Array<std::int64_t>& moments) {
    check_size(moments, tree.request().nodes.size() * BoostedPiece::MOMENTS);
    call_core([&](Stop&) { tree.answer_moments(moments.data()); });
}

nb::dict grown_tree(const TreeFromSums& tree) {
    Boosted out;
    tree.write(out);
    return arrays_of(std::move(out));
}

}  // namespace

void register_boosted_pieces(nb::module_& m) {
    nb::class_<BoostedPiece>(m, "BoostedPiece",
                             "The rows of a piece while trees are boosted; its arrays belong to Python.")
        .def("__init__", &make_piece, nb::keep_alive<1, 3>(), "settings"_a, "rows"_a)
        .def("set_scores", unlocked(&BoostedPiece::set_scores), "base"_a,
             "Set all scores to those before the first tree.")
        .def("start_round", unlocked(&BoostedPiece::start_round), "Prepare the scores for the trees of a round.")
        .def("start_tree", unlocked(&BoostedPiece::start_tree), "units"_a, "output"_a, "round"_a,
             "Compute the gradients of an output in these units and sample the rows of the tree.")
        .def("start_joint", unlocked(&BoostedPiece::start_joint), "units"_a, "group"_a, "round"_a,
             "Compute the gradients of a group of classes and sample the rows of the tree.")
        .def("refill", unlocked(&BoostedPiece::refill), "units"_a, "output"_a,
             "Compute the gradients of another output for the same rows.")
        .def("add_sums", &add_sums, "tree"_a, "nodes"_a, "to"_a, "Add the sums of some nodes.")
        .def("apply", &apply_tree, "tree"_a, "output"_a, "is_current"_a,
             "Add a complete tree to the scores; `is_current` if it is the one that was started last.")
        .def("largest", &largest_bounds, "output"_a, "The largest gradient and second derivative.")
        .def("losses", &piece_losses, "Sums of losses and weights: training rows, then held-out rows.")
        .def("add_root", &add_root, "to"_a, "Add the sums of all rows of the tree.")
        .def("add_cells", &add_cells, "tree"_a, "nodes"_a, "columns"_a, "to"_a, "Add the sums per code of some nodes.")
        .def("add_moments", &add_moments, "tree"_a, "nodes"_a, "to"_a, "Add the moments of some nodes for the F test.");
    nb::class_<TreeFromSums>(m, "TreeFromSums", "Growth of boosted trees, one after the other, from sums of pieces.")
        .def("__init__", &make_tree, "plan"_a, "columns"_a, "is_weighted"_a, "round_nodes"_a, "held_nodes"_a)
        .def("base", &TreeFromSums::base, "mean"_a, "class_weights"_a, "weight"_a,
             "The raw scores before the first tree.")
        .def("start", &start_tree, "largest_g"_a, "largest_h"_a, "n_rows"_a, "number"_a, "is_joint"_a = false,
             "Start a tree, for one class or for all; returns its units.")
        .def_static("units", &units_for, "largest_g"_a, "largest_h"_a, "n_rows"_a,
                    "The units of gradients with these bounds.")
        .def("refit", &refit_leaves, "units"_a, "sums"_a,
             "The values of a complete tree for other gradients, from their sums in the requested leaves.")
        .def("next", &next_wanted,
             "What is requested next: 0 nothing, 1 the root, 2 sums of nodes, 3 moments of leaves, 4 sums of leaves.")
        .def_prop_ro(
            "nodes", [](const TreeFromSums& tree) { return owned(std::vector(tree.request().nodes)); },
            "The nodes of the request.")
        .def_prop_ro(
            "columns", [](const TreeFromSums& tree) { return owned(std::vector(tree.request().columns)); },
            "The columns of the tree.")
        .def("coded", &coded_arrays, "The tree so far as arrays; with `step` if it is complete.")
        .def_prop_ro("cells_per_node", &cells_requested, "How many numbers the sums of a node are.")
        .def("answer_root", &answer_root, "sums"_a, "cells"_a, "Take the sums of the root.")
        .def("answer_cells", &answer_cells, "cells"_a, "Take the sums of the requested nodes.")
        .def("answer_moments", &answer_moments, "moments"_a, "Take the moments of the requested nodes.")
        .def("grown", &grown_tree, "The arrays of the complete tree.");
}
