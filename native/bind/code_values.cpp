// Python bindings of the codes of values. The reference implementation is numpy.searchsorted.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "core/cut_search.hpp"

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
    const CutSearch search(span_of(cuts));
    nb::gil_scoped_release unlocked;
    search.code<Code>(span_of(values), static_cast<Code>(missing), codes.data());
}

}  // namespace

void register_code_values(nb::module_& m) {
    const char* doc = "The number of cuts below each value, `missing` for NaN; written to `codes`.";
    m.def("code_values", &code_values<std::uint8_t>, "values"_a, "cuts"_a, "missing"_a, "codes"_a.noconvert(), doc);
    m.def("code_values", &code_values<std::uint16_t>, "values"_a, "cuts"_a, "missing"_a, "codes"_a.noconvert(), doc);
}
