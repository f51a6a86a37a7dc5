// The Python module _native: each topic registers its functions in its own file.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

using Register = void(nb::module_&);
Register register_boosted_pieces, register_boosting, register_code_values, register_ensembles, register_explaining,
    register_growing, register_kept_columns, register_one_row, register_parts, register_pieces, register_prunings,
    register_random, register_rules, register_walking;

NB_MODULE(_native, m) {
    // The interpreter may exit while a thread still owns an array: the leak warnings would be misleading.
    nb::set_leak_warnings(false);
    m.doc() = "The compiled core of hornbeam: arrays in, arrays out.";
    for (Register* each :
         {register_boosting, register_code_values, register_explaining, register_ensembles, register_growing,
          register_kept_columns, register_one_row, register_parts, register_pieces, register_boosted_pieces,
          register_prunings, register_random, register_rules, register_walking})
        each(m);
}
