// Python bindings of kept columns: a column that is ranked once, with the array that it refers to.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "bind/growth.hpp"
#include "core/kept_column.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

struct RankedColumn {
    nb::object array;
    KeptColumn column;
};

void make_column(RankedColumn* self, int kind, const nb::object& array, std::int32_t n_levels) {
    if (kind < 0 || kind > static_cast<int>(Kind::nominal)) throw nb::value_error("kind must be 0, 1 or 2.");
    const auto n_rows = static_cast<std::int64_t>(nb::len(array));
    new (self) RankedColumn{array, KeptColumn(source_column(kind, array, n_levels, n_rows), n_rows)};
}

void make_rows(ChosenRows* self, const Array<std::uint32_t>& rows, std::int64_t n_table_rows, bool is_node) {
    new (self) ChosenRows(rows.data(), static_cast<std::int64_t>(rows.size()), n_table_rows, is_node);
}

SourceColumn kept_column(const nb::tuple& fields, std::int64_t n_rows) {
    const auto& ranked = nb::cast<const RankedColumn&>(fields[1]);
    const ChosenRows* chosen = fields[2].is_none() ? nullptr : nb::cast<const ChosenRows*>(fields[2]);
    const nb::handle values = fields[3];
    SourceColumn out = ranked.column.source();
    out.kept = &ranked.column;
    out.chosen = chosen;
    const bool fits = chosen ? chosen->size() == n_rows && chosen->n_table_rows() == ranked.column.n_rows()
                             : ranked.column.n_rows() == n_rows;
    if (!fits) throw nb::value_error("A ranked column must have the rows of the job.");
    if (out.kind == Kind::numeric) {
        if (chosen) out.reals = out.reals.at(chosen->rows());
        if (!values.is_none()) out.reals = reals_of(values, n_rows);
    } else if (chosen) {
        if (values.is_none() || !chosen->is_node())
            throw nb::value_error("Levels of some rows require the codes of these rows, and the rows of a node.");
        out.codes = data_of<std::int32_t>(values, n_rows);
    }
    return out;
}

}  // namespace

std::vector<SourceColumn> bind::job_columns_of(const nb::list& given, std::int64_t n_rows) {
    std::vector<SourceColumn> out;
    for (const nb::handle item : given) {
        const auto fields = nb::cast<nb::tuple>(item);
        const bool is_kept = nb::isinstance<RankedColumn>(fields[1]);
        out.push_back(is_kept ? kept_column(fields, n_rows) : source_column(fields, n_rows));
    }
    return out;
}

void register_kept_columns(nb::module_& m) {
    nb::class_<RankedColumn>(m, "RankedColumn", "A column that is ranked or coded once, when it is first needed.")
        .def("__init__", &make_column, "kind"_a, "array"_a, "n_levels"_a,
             "A column of a job; the array must not change.")
        .def_prop_ro(
            "n_bytes", [](const RankedColumn& self) { return self.column.n_bytes(); },
            "The number of bytes that are kept at present.");
    nb::class_<ChosenRows>(m, "ChosenRows", "Some rows of a table, each once.")
        .def("__init__", &make_rows, "rows"_a, "n_table_rows"_a, "is_node"_a = false,
             "Row numbers, in any order: a table of their own, or a node of the table.");
}
