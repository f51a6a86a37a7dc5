// The Python module _native: each topic registers its functions in its own file.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void register_boosting(nb::module_& m);
void register_code_values(nb::module_& m);
void register_explaining(nb::module_& m);
void register_ensembles(nb::module_& m);
void register_growing(nb::module_& m);
void register_kept_columns(nb::module_& m);
void register_one_row(nb::module_& m);
void register_parts(nb::module_& m);
void register_pieces(nb::module_& m);
void register_boosted_pieces(nb::module_& m);
void register_prunings(nb::module_& m);
void register_random(nb::module_& m);
void register_rules(nb::module_& m);
void register_walking(nb::module_& m);

NB_MODULE(_native, m) {
    // The interpreter may exit while a thread still owns an array: the leak warnings would be misleading.
    nb::set_leak_warnings(false);
    m.doc() = "The compiled core of hornbeam: arrays in, arrays out.";
    register_boosting(m);
    register_code_values(m);
    register_explaining(m);
    register_ensembles(m);
    register_growing(m);
    register_kept_columns(m);
    register_one_row(m);
    register_parts(m);
    register_pieces(m);
    register_boosted_pieces(m);
    register_prunings(m);
    register_random(m);
    register_rules(m);
    register_walking(m);
}
