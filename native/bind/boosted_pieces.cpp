// Python bindings of boosting from pieces: the rows of a piece, whose arrays belong to Python, and the tree that is
// grown from their sums.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/arrays.hpp"
#include "bind/boosting.hpp"
#include "bind/call.hpp"
#include "bind/piece_codes.hpp"
#include "pieces/boosted_piece.hpp"
#include "pieces/tree_from_sums.hpp"

namespace nb = nanobind;
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

std::span<const std::int32_t> checked(const Indices& given, std::size_t below) {
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given.data()[i] < 0 || static_cast<std::size_t>(given.data()[i]) >= below)
            throw nb::value_error("A node or column of the request does not exist.");
    return {given.data(), given.size()};
}

class Piece {
  public:
    Piece(const nb::dict& settings, const nb::dict& rows) : arrays_(rows), n_codes_() {
        PieceBoostSettings found = piece_settings_of(settings);
        n_codes_ = found.n_codes;
        n_classes_ = static_cast<std::size_t>(found.n_classes);
        BoostedRows own = boosted_rows_of(rows, found);
        piece_ = std::make_unique<BoostedPiece>(std::move(found), std::move(own));
    }

    void set_scores(const std::vector<double>& base) {
        call_core([&](Stop&) { piece_->set_scores(base); });
    }
    void start_round() {
        call_core([&](Stop&) { piece_->start_round(); });
    }
    void start_joint(double g, double h, int count_bits, const std::vector<std::uint8_t>& group, std::uint64_t round) {
        if (group.size() != n_classes_) throw nb::value_error("The group has another number of classes.");
        call_core([&](Stop&) { piece_->start_joint({g, h, count_bits}, group, round); });
    }
    void refill(double g, double h, int count_bits, int output) {
        call_core([&](Stop&) { piece_->refill({g, h, count_bits}, output); });
    }
    void start_tree(double g, double h, int count_bits, int output, std::uint64_t round) {
        call_core([&](Stop&) { piece_->start_tree({g, h, count_bits}, output, round); });
    }
    void apply(const nb::dict& tree, int output, bool is_current) {
        const CodedTree coded = coded_tree_of(tree);
        if (!coded.is_complete()) throw nb::value_error("The tree is not complete.");
        call_core([&](Stop&) { piece_->apply(coded, output, is_current); });
    }
    nb::tuple largest(int output) const {
        Bounds found;
        call_core([&](Stop&) { found = piece_->largest(output); });
        return nb::make_tuple(found.g, found.h);
    }
    nb::tuple losses() const {
        PieceLosses found;
        call_core([&](Stop&) { found = piece_->losses(); });
        const auto cells = [](const LimbSum& sum) {
            return owned(std::vector<std::int64_t>(sum.cells().begin(), sum.cells().end()));
        };
        return nb::make_tuple(cells(found.training), found.training_weight, cells(found.held_out),
                              found.held_out_weight);
    }
    void add_root(const Sums64& to) const {
        if (to.size() != 2) throw nb::value_error("The sums of the root are two numbers.");
        Sums sums;
        call_core([&](Stop&) { sums = piece_->root(); });
        to.data()[0] += sums.g;
        to.data()[1] += sums.hc;
    }
    void add_cells(const nb::dict& tree, const Indices& nodes, const Indices& columns, const Sums64& to) {
        const CodedTree coded = coded_tree_of(tree);
        std::size_t size = 0;
        for (const std::int32_t column : checked(columns, n_codes_.size()))
            size += 2 * (n_codes_[column] + std::size_t{1});
        if (to.size() != size * nodes.size()) throw nb::value_error("The sums do not fit the request.");
        const auto of = checked(nodes, coded.first_child.size());
        call_core([&](Stop&) { piece_->add_cells(coded, of, {columns.data(), columns.size()}, to.data()); });
    }
    void add_sums(const nb::dict& tree, const Indices& nodes, const Sums64& to) {
        const CodedTree coded = coded_tree_of(tree);
        if (to.size() != 2 * nodes.size()) throw nb::value_error("The sums do not fit the request.");
        const auto of = checked(nodes, coded.first_child.size());
        call_core([&](Stop&) { piece_->add_sums(coded, of, to.data()); });
    }
    void add_moments(const nb::dict& tree, const Indices& nodes, const Sums64& to) {
        const CodedTree coded = coded_tree_of(tree);
        if (to.size() != nodes.size() * BoostedPiece::MOMENTS)
            throw nb::value_error("The sums do not fit the request.");
        const auto of = checked(nodes, coded.first_child.size());
        call_core([&](Stop&) { piece_->add_moments(coded, of, to.data()); });
    }

  private:
    nb::dict arrays_;  // keeps the arrays of the piece
    std::vector<std::uint32_t> n_codes_;
    std::size_t n_classes_ = 0;
    std::unique_ptr<BoostedPiece> piece_;
};

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

class Tree {
  public:
    Tree(const nb::dict& plan, const nb::list& columns, bool is_weighted, std::int64_t round_nodes,
         std::int64_t held_nodes) {
        DictReader given(plan, "plan");
        BoostSettings settings = boost_settings_of(given);
        loss_ = settings.loss;
        for (const char* name : {"outputs", "n_rows"}) given.find(name);  // only the Python side uses them
        given.check_all_read();
        tree_ = std::make_unique<TreeFromSums>(std::move(settings), piece_columns_of(columns), is_weighted,
                                               SumsLimits{round_nodes, held_nodes});
    }

    std::vector<double> base(double mean, const std::vector<double>& class_weights, double weight) const {
        return base_of_mean(loss_, mean, class_weights, weight);
    }
    nb::tuple start(double largest_g, double largest_h, std::int64_t n_rows, std::uint64_t number, bool is_joint) {
        const Units units = units_for(largest_g, largest_h, n_rows);
        tree_->start(units, number, is_joint);
        return nb::make_tuple(units.g, units.h, units.count_bits);
    }
    static nb::tuple units(double largest_g, double largest_h, std::int64_t n_rows) {
        const Units units = units_for(largest_g, largest_h, n_rows);
        return nb::make_tuple(units.g, units.h, units.count_bits);
    }
    void refit(double g, double h, int count_bits, const Array<std::int64_t>& sums) {
        check(sums, 2 * tree_->request().nodes.size());
        call_core([&](Stop&) { tree_->refit({g, h, count_bits}, sums.data()); });
    }
    int next() {
        call_core([&](Stop&) { tree_->next(); });
        return static_cast<int>(tree_->request().wanted);
    }
    nb::object nodes() const { return owned(std::vector<std::int32_t>(tree_->request().nodes)); }
    nb::object columns() const { return owned(std::vector<std::int32_t>(tree_->request().columns)); }
    nb::dict coded() const {
        CodedTreeArrays from = tree_->coded();
        nb::dict out;
        each_array(from, [&](const char* name, auto& values) { out[name] = owned(std::move(values)); });
        return out;
    }
    std::int64_t cells_per_node() const { return tree_->request().cells_per_node; }
    void answer_root(const Array<std::int64_t>& sums, const Array<std::int64_t>& cells) {
        check(sums, 2);
        check(cells, static_cast<std::size_t>(cells_per_node()));
        const Sums root{sums.data()[0], sums.data()[1]};
        call_core([&](Stop&) { tree_->answer_root(root, cells.data()); });
    }
    void answer_cells(const Array<std::int64_t>& cells) {
        check(cells, tree_->request().nodes.size() * static_cast<std::size_t>(cells_per_node()));
        call_core([&](Stop&) { tree_->answer_cells(cells.data()); });
    }
    void answer_moments(const Array<std::int64_t>& moments) {
        check(moments, tree_->request().nodes.size() * BoostedPiece::MOMENTS);
        call_core([&](Stop&) { tree_->answer_moments(moments.data()); });
    }
    nb::dict grown() const {
        Boosted out;
        tree_->write(out);
        return arrays_of(std::move(out));
    }

  private:
    static void check(const Array<std::int64_t>& given, std::size_t size) {
        if (given.size() != size) throw nb::value_error("The sums do not fit the request.");
    }
    Loss loss_ = Loss::squared;
    std::unique_ptr<TreeFromSums> tree_;
};

}  // namespace

void register_boosted_pieces(nb::module_& m) {
    nb::class_<Piece>(m, "BoostedPiece", "The rows of a piece while trees are boosted; its arrays belong to Python.")
        .def(nb::init<const nb::dict&, const nb::dict&>(), nb::arg("settings"), nb::arg("rows"))
        .def("set_scores", &Piece::set_scores, nb::arg("base"), "Set all scores to those before the first tree.")
        .def("start_round", &Piece::start_round, "Prepare the scores for the trees of a round.")
        .def("start_tree", &Piece::start_tree, nb::arg("g"), nb::arg("h"), nb::arg("count_bits"), nb::arg("output"),
             nb::arg("round"), "Compute the gradients of an output in these units and sample the rows of the tree.")
        .def("start_joint", &Piece::start_joint, nb::arg("g"), nb::arg("h"), nb::arg("count_bits"), nb::arg("group"),
             nb::arg("round"), "Compute the gradients of a group of classes and sample the rows of the tree.")
        .def("refill", &Piece::refill, nb::arg("g"), nb::arg("h"), nb::arg("count_bits"), nb::arg("output"),
             "Compute the gradients of another output for the same rows.")
        .def("add_sums", &Piece::add_sums, nb::arg("tree"), nb::arg("nodes"), nb::arg("to"),
             "Add the sums of some nodes.")
        .def("apply", &Piece::apply, nb::arg("tree"), nb::arg("output"), nb::arg("is_current"),
             "Add a complete tree to the scores; `is_current` if it is the one that was started last.")
        .def("largest", &Piece::largest, nb::arg("output"), "The largest gradient and second derivative.")
        .def("losses", &Piece::losses, "Sums of losses and weights: training rows, then held-out rows.")
        .def("add_root", &Piece::add_root, nb::arg("to"), "Add the sums of all rows of the tree.")
        .def("add_cells", &Piece::add_cells, nb::arg("tree"), nb::arg("nodes"), nb::arg("columns"), nb::arg("to"),
             "Add the sums per code of some nodes.")
        .def("add_moments", &Piece::add_moments, nb::arg("tree"), nb::arg("nodes"), nb::arg("to"),
             "Add the moments of some nodes for the F test.");
    nb::class_<Tree>(m, "TreeFromSums", "Growth of boosted trees, one after the other, from sums of pieces.")
        .def(nb::init<const nb::dict&, const nb::list&, bool, std::int64_t, std::int64_t>(), nb::arg("plan"),
             nb::arg("columns"), nb::arg("is_weighted"), nb::arg("round_nodes"), nb::arg("held_nodes"))
        .def("base", &Tree::base, nb::arg("mean"), nb::arg("class_weights"), nb::arg("weight"),
             "The raw scores before the first tree.")
        .def("start", &Tree::start, nb::arg("largest_g"), nb::arg("largest_h"), nb::arg("n_rows"), nb::arg("number"),
             nb::arg("is_joint") = false, "Start a tree, for one class or for all; returns its units.")
        .def_static("units", &Tree::units, nb::arg("largest_g"), nb::arg("largest_h"), nb::arg("n_rows"),
                    "The units of gradients with these bounds.")
        .def("refit", &Tree::refit, nb::arg("g"), nb::arg("h"), nb::arg("count_bits"), nb::arg("sums"),
             "The values of a complete tree for other gradients, from their sums in the requested leaves.")
        .def("next", &Tree::next,
             "What is requested next: 0 nothing, 1 the root, 2 sums of nodes, 3 moments of leaves, 4 sums of leaves.")
        .def_prop_ro("nodes", &Tree::nodes, "The nodes of the request.")
        .def_prop_ro("columns", &Tree::columns, "The columns of the tree.")
        .def("coded", &Tree::coded, "The tree so far as arrays; with `step` if it is complete.")
        .def_prop_ro("cells_per_node", &Tree::cells_per_node, "How many numbers the sums of a node are.")
        .def("answer_root", &Tree::answer_root, nb::arg("sums"), nb::arg("cells"), "Take the sums of the root.")
        .def("answer_cells", &Tree::answer_cells, nb::arg("cells"), "Take the sums of the requested nodes.")
        .def("answer_moments", &Tree::answer_moments, nb::arg("moments"), "Take the moments of the requested nodes.")
        .def("grown", &Tree::grown, "The arrays of the complete tree.");
}
