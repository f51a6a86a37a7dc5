// Python bindings of growth from pieces: requests are dicts of arrays, so that they travel to other processes.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/dict_reader.hpp"
#include "bind/growth.hpp"
#include "bind/piece_codes.hpp"
#include "core/ranks.hpp"
#include "growing/drop_derived.hpp"
#include "pieces/add_piece.hpp"
#include "pieces/grower_state.hpp"
#include "pieces/piece_grower.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

void take_units(DictReader& given, TargetUnits& units) {
    given.take("origin", units.origin);
    given.take("unit", units.unit);
    given.take("weight_unit", units.weight_unit);
    given.take("weight_scale", units.weight_scale);
    given.take("weight_step", units.weight_step);
    given.take("square_unit", units.square_unit);
    given.take("limb_bits", units.limb_bits);
}

// Calls use(name, field) for what a request of a grower has: arrays and numbers.
template <class Request, class Use>
void each_field(Request& request, const Use& use) {
    use("first_child", request.first_child);
    use("first_question", request.first_question);
    use("otherwise", request.otherwise);
    use("question_column", request.question_column);
    use("question_map", request.question_map);
    use("maps", request.maps);
    use("slot", request.slot);
    use("total", request.total);
    use("columns", request.columns);
    use("n_codes", request.n_codes);
    use("n_slots", request.n_slots);
    use("n_totals", request.n_totals);
    use("by_side", request.by_side);
    use("n_classes", request.shape.n_classes);
    use("is_weighted", request.shape.is_weighted);
}

// The request refers to the arrays of the dict.
PieceRequest request_of(const nb::dict& dict) {
    DictReader given(dict, "request");
    PieceRequest out;
    each_field(out, [&](const char* name, auto& to) { read_field(given, name, to); });
    take_units(given, out.units);
    if (given.find("class_weight")) read_array(nb::cast<Arrays>(dict), "class_weight", out.class_weight);
    given.take_enum("sample_method", out.sample.method);
    given.take("sample_key", out.sample.key);
    given.take("sample_fraction", out.sample.fraction);
    given.take("sample_from", out.sample.from);
    given.take("sample_to", out.sample.to);
    double none = 0.0;
    given.take("sample_none", none);
    out.sample.set_below(none);
    given.find("tree");  // rounds keep the nodes of rows by tree
    given.check_all_read();
    return out;
}

// The rows of a piece: codes, target and weights as arrays or None, the node of every row, the number of the first row
// or of every row.
PieceRows rows_of(const PieceRequest& request, const nb::dict& dict, bool is_checked) {
    DictReader given(dict, "rows");
    auto nodes = nb::cast<Out<std::int32_t>>(given.get("nodes"), false);
    PieceRows out;
    out.n_rows = static_cast<std::int64_t>(nodes.size());
    out.node = nodes.data();
    const auto codes = nb::cast<nb::list>(given.get("codes"));
    const nb::handle target = given.get("target"), weights = given.get("weights");
    given.take("first_row", out.first_row);
    if (const nb::handle numbers = given.find("row_numbers"))
        out.row_number = data_of<std::int64_t>(numbers, out.n_rows);
    given.check_all_read();
    out.codes.resize(codes.size());
    for (std::size_t c = 0; c < codes.size(); ++c) {
        if (codes[c].is_none()) continue;
        out.codes[c] = codes_of(codes[c], out.n_rows);
        if (is_checked) check_codes(out.codes[c], out.n_rows, request.n_codes[c]);
    }
    const auto needs = [&](std::int32_t column) {
        if (!out.codes[column].narrow && !out.codes[column].wide)
            throw nb::value_error("The codes of a column of the request are missing.");
    };
    for (const std::int32_t column : request.columns) needs(column);
    for (const std::int32_t column : request.question_column) needs(column);
    if (!target.is_none()) {
        if (request.by_side || request.shape.n_classes > 0)
            out.classes =
                nb::isinstance<Array<std::uint16_t>>(target) ? data_of<std::uint16_t>(target, out.n_rows) : nullptr;
        else
            out.numbers = data_of<double>(target, out.n_rows);
    }
    if (!weights.is_none()) out.weights = data_of<double>(weights, out.n_rows);
    return out;
}

// A request whose arrays live as long as the adder does.
struct RequestAdder {
    explicit RequestAdder(nb::dict given) : arrays(std::move(given)), request(request_of(arrays)), adder(request) {}
    RequestAdder(const RequestAdder&) = delete;
    RequestAdder& operator=(const RequestAdder&) = delete;

    nb::dict arrays;
    PieceRequest request;
    PieceAdder adder;
};

void add(RequestAdder& to, const nb::dict& given_rows) {
    const PieceRows rows = rows_of(to.request, given_rows, true);
    if (to.request.shape.n_classes > 0 && !to.request.by_side && !rows.classes)
        throw nb::value_error("The classes of the rows are missing.");
    call_core([&](Stop&) { to.adder.add(rows); });
}

nb::dict added(RequestAdder& adder) {
    PieceSums sums = call_core([&](Stop&) { return adder.adder.sums(); });
    nb::dict out;
    out["cells"] = owned(std::move(sums.cells));
    out["totals"] = owned(std::move(sums.totals));
    out["low"] = owned(std::move(sums.low));
    out["high"] = owned(std::move(sums.high));
    return out;
}

void route(const nb::dict& given, const nb::dict& given_rows) {
    const PieceRequest request = request_of(given);
    const PieceRows rows = rows_of(request, given_rows, false);
    call_core([&](Stop&) { route_piece(request, rows); });
}

std::vector<ReadyColumn> ready_columns_of(const nb::list& given) {
    std::vector<ReadyColumn> out;
    for (const nb::handle item : given) {
        const auto fields = nb::cast<nb::tuple>(item);
        ReadyColumn column;
        column.kind = static_cast<Kind>(nb::cast<int>(fields[0]));
        const auto low = nb::cast<Array<double>>(fields[1], false), high = nb::cast<Array<double>>(fields[2], false);
        column.n_codes = static_cast<std::uint32_t>(high.size());
        column.has_missing = nb::cast<bool>(fields[3]);
        column.values.assign(high.data(), high.data() + high.size());
        if (column.kind == Kind::numeric) column.lows.assign(low.data(), low.data() + low.size());
        // The code of most rows, where a column in memory is kept as the rows that have another one; else -1.
        const int common = nb::cast<int>(fields[4]);
        column.is_sparse = common >= 0;
        column.common = static_cast<std::uint32_t>(std::max(common, 0));
        out.push_back(std::move(column));
    }
    return out;
}

// A plan whose rows are elsewhere: `facts` has their number, weight and units.
Plan plan_without_rows(const nb::dict& plan_dict, DictReader& facts, CellShape& shape, TargetUnits& units) {
    Plan plan = plan_of(plan_dict);
    plan.n_rows = nb::cast<std::int64_t>(facts.get("n_rows"));
    take_units(facts, units);
    facts.take("is_weighted", shape.is_weighted);
    Target target;
    target.n_classes = shape.n_classes = plan.target.n_classes;
    target.class_scale = plan.target.class_scale;
    target.origin = units.origin;
    target.unit = units.unit;
    target.weight_unit = units.weight_unit;
    if (shape.is_weighted) target.weights = {nb::cast<std::int64_t>(facts.get("weight"))};
    if (const nb::handle counts = facts.find("class_totals"))
        for (const nb::handle count : nb::cast<nb::list>(counts))
            target.class_totals.push_back(nb::cast<std::int64_t>(count));
    plan.target = std::move(target);
    for (SourceColumn& column : plan.columns) column.reals = Reals(), column.codes = nullptr;
    return plan;
}

void make_grower(PieceGrower* self, const nb::dict& plan_dict, const nb::list& columns, const nb::dict& given) {
    DictReader facts(given, "facts");
    CellShape shape;
    TargetUnits units;
    PieceLimits limits;
    Plan plan = plan_without_rows(plan_dict, facts, shape, units);
    facts.take("round_cells", limits.round_cells);
    facts.take("held_cells", limits.held_cells);
    facts.take("collected", limits.collected);
    facts.take("collected_at_once", limits.collected_at_once);
    facts.take("threads", limits.threads);
    facts.check_all_read();
    new (self) PieceGrower(std::move(plan), ready_columns_of(columns), shape, units, limits);
}

nb::object next_request(PieceGrower& grower) {
    if (!call_core([&](Stop& stop) { return grower.next(stop); })) return nb::none();
    nb::dict out;
    each_field(grower.request(), [&](const char* name, const auto& value) { write_field(out, name, value); });
    return out;
}

template <class T>
std::vector<T> vector_of(const nb::dict& from, const char* name, std::size_t size) {
    const auto array = nb::cast<Array<T>>(from[name], false);
    if (array.size() != size) throw nb::value_error("The sums do not fit the request.");
    return {array.data(), array.data() + array.size()};
}

void take_answer(PieceGrower& grower, const nb::dict& given) {
    const RequestArrays& request = grower.request();
    PieceSums sums;
    std::int64_t size = 0;
    for (const std::int32_t column : request.columns) size += request.n_codes[column] + 1;
    sums.cells = vector_of<std::int64_t>(given, "cells", size * request.shape.width() * request.n_slots);
    const std::size_t n_totals = request.n_totals, n_numbers = request.shape.n_classes == 0 ? n_totals : 0;
    sums.totals = vector_of<std::int64_t>(given, "totals", n_totals * total_width(request.shape));
    sums.low = vector_of<double>(given, "low", n_numbers);
    sums.high = vector_of<double>(given, "high", n_numbers);
    call_core([&](Stop& stop) { grower.answer(sums, stop); });
}

void finish_rows(PieceGrower& grower, const nb::dict& given, const nb::dict& given_rows) {
    const PieceRequest request = request_of(given);
    const PieceRows rows = rows_of(request, given_rows, true);
    call_core([&](Stop& stop) { grower.finish(request, rows, stop); });
}

nb::object state_of(PieceGrower& grower) {
    if (!GrowerState::is_complete(grower)) return nb::none();
    const std::string bytes = GrowerState::saved(grower);
    return nb::bytes(bytes.data(), bytes.size());
}

void restore_state(PieceGrower& grower, const nb::bytes& state) {
    GrowerState::restore(grower, {state.c_str(), state.size()});
}

nb::dict grown_arrays(PieceGrower& grower, bool is_class) {
    Grown grown = call_core([&](Stop&) { return grower.grown(); });
    drop_derived(grown, is_class);
    return arrays_of(std::move(grown));
}

}  // namespace

void register_pieces(nb::module_& m) {
    nb::class_<RequestAdder>(m, "PieceAdder", "What the rows of pieces add up to for a request.")
        .def(nb::init<nb::dict>(), "request"_a)
        .def("add", &add, "rows"_a,
             "Add the rows of a piece; `rows` are arrays by name, and `nodes` of them is updated.")
        .def("sums", &added, "The sums of all rows so far, as arrays by name.");
    m.def("route_piece", &route, "request"_a, "rows"_a, "Set `nodes` of the rows of a piece to the node of every row.");
    nb::class_<PieceGrower>(m, "PieceGrower", "Growth of a tree from sums of pieces.")
        .def("__init__", &make_grower, "plan"_a, "columns"_a, "facts"_a)
        .def("next", &next_request, "The next request as a dict of arrays; None when the tree is complete.")
        .def_prop_ro("wants_rows", &PieceGrower::wants_rows, "Whether the request is for rows, not for sums.")
        .def_prop_ro("n_nodes", &PieceGrower::n_nodes, "The number of nodes so far.")
        .def_prop_ro("n_open", &PieceGrower::n_open, "The number of nodes that are still to be split.")
        .def("answer", &take_answer, "sums"_a, "Take the sums that answer the request.")
        .def("finish", &finish_rows, "request"_a, "rows"_a, "Finish the nodes of the request from all their rows.")
        .def("state", &state_of, "The tree so far and its open nodes as bytes; None while an answer is awaited.")
        .def("restore", &restore_state, "state"_a, "Continue from a state of the same data and settings.")
        .def("grown", &grown_arrays, "is_class"_a, "The arrays of the tree.");
}
