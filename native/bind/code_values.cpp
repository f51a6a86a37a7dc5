// Python bindings of passes over the values of one column: what they are, and their codes. The reference
// implementations are numpy.searchsorted, unique and bincount.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include "bind/arrays.hpp"
#include "pieces/column_facts.hpp"
#include "pieces/value_codes.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

template <class Code>
void code_values(const Array<double>& values, const Array<double>& cuts, std::uint32_t missing,
                 const Out<Code>& codes) {
    if (codes.size() != values.size()) throw nb::value_error("codes must have one entry per value.");
    if (missing > std::numeric_limits<Code>::max() || cuts.size() > missing)
        throw nb::value_error("The codes are too small for the cuts.");
    nb::gil_scoped_release unlocked;
    code_numbers<Code>(span_of(values), span_of(cuts), static_cast<Code>(missing), codes.data());
}

template <class Code>
void look_up(const Array<std::int32_t>& levels, const Array<Code>& table, const Out<Code>& codes) {
    if (codes.size() != levels.size()) throw nb::value_error("codes must have one entry per level.");
    if (table.size() == 0) throw nb::value_error("table must have an entry for missing values.");
    nb::gil_scoped_release unlocked;
    code_levels<Code>(span_of(levels), span_of(table), codes.data());
}

using Facts = std::tuple<std::int64_t, double, double, bool, nb::object>;

Facts number_facts(const Array<double>& values, std::int64_t max_distinct) {
    NumberFacts found;
    std::optional<std::vector<double>> distinct;
    {
        nb::gil_scoped_release unlocked;
        found = facts_of(span_of(values));
        if (max_distinct >= 0) distinct = distinct_numbers(span_of(values), static_cast<std::size_t>(max_distinct));
    }
    return {found.n_missing, found.minimum, found.maximum, found.is_integer,
            distinct ? moved_out(std::move(*distinct)) : nb::none()};
}

nb::object counted_codes(const Array<std::int32_t>& codes, std::int32_t n_codes) {
    if (n_codes < 0) throw nb::value_error("n_codes must be at least 0.");
    return moved_out(count_codes(span_of(codes), n_codes));
}

template <class Code>
bool code_known(const Array<double>& values, const Array<double>& numbers, const Array<Code>& table,
                const Out<Code>& codes) {
    if (codes.size() != values.size()) throw nb::value_error("codes must have one entry per value.");
    if (table.size() != numbers.size() + 1) throw nb::value_error("table must have one entry more than numbers.");
    nb::gil_scoped_release unlocked;
    return code_known_numbers<Code>(span_of(values), span_of(numbers), span_of(table), codes.data());
}

}  // namespace

void register_code_values(nb::module_& m) {
    const char* doc = "The number of cuts below each value, `missing` for NaN; written to `codes`.";
    m.def("code_values", &code_values<std::uint8_t>, "values"_a, "cuts"_a, "missing"_a, "codes"_a.noconvert(), doc);
    m.def("code_values", &code_values<std::uint16_t>, "values"_a, "cuts"_a, "missing"_a, "codes"_a.noconvert(), doc);
    doc = "The entry of `table` for each level, the last one for levels below 0; written to `codes`.";
    m.def("look_up", &look_up<std::uint8_t>, "levels"_a, "table"_a.noconvert(), "codes"_a.noconvert(), doc);
    m.def("look_up", &look_up<std::uint16_t>, "levels"_a, "table"_a.noconvert(), "codes"_a.noconvert(), doc);
    m.def("look_up", &look_up<std::int32_t>, "levels"_a, "table"_a.noconvert(), "codes"_a.noconvert(), doc);
    doc =
        "The entry of `table` for the place of each value in `numbers`, which ascend, the last one for NaN; written "
        "to\n"
        "`codes`. False if some value is none of the numbers.";
    m.def("code_known", &code_known<std::uint8_t>, "values"_a, "numbers"_a, "table"_a.noconvert(),
          "codes"_a.noconvert(), doc);
    m.def("code_known", &code_known<std::uint16_t>, "values"_a, "numbers"_a, "table"_a.noconvert(),
          "codes"_a.noconvert(), doc);
    m.def("code_known", &code_known<std::int32_t>, "values"_a, "numbers"_a, "table"_a.noconvert(),
          "codes"_a.noconvert(), doc);
    m.def(
        "number_facts", &number_facts, "values"_a, "max_distinct"_a,
        "The number of missing values, minimum, maximum, whether all are integers, and the distinct values in order;\n"
        "None if there are more than `max_distinct`, or it is below 0.");
    m.def("count_codes", &counted_codes, "codes"_a, "n_codes"_a,
          "The number of codes below 0, followed by the number of each code.");
}
