// Python bindings of the prunings: checks shapes and links, then calls the core.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "prunings/cost_complexity.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

// The loop goes from the last node to the first, so every child must have a higher index than its parent.
void check_links(const Array<std::int32_t>& first_child, const Array<std::int32_t>& n_branches) {
    const auto n = static_cast<std::int64_t>(first_child.size());
    for (std::int64_t node = 0; node < n; ++node) {
        const std::int64_t first = first_child.data()[node];
        const std::int64_t count = n_branches.data()[node];
        if (first >= 0 && (first <= node || count < 1 || first + count > n)) {
            throw nb::value_error("The children of a node must have valid indices above that of the node.");
        }
    }
}

void links(Array<std::int32_t> first_child, Array<std::int32_t> n_branches, Array<double> risk, Out<double> own,
           Out<std::int64_t> lost, Out<double> gained) {
    const std::size_t n = first_child.size();
    if (n_branches.size() != n || risk.size() != n || own.size() != n || lost.size() != n || gained.size() != n) {
        throw nb::value_error("All arrays must have one entry per node.");
    }
    check_links(first_child, n_branches);
    nb::gil_scoped_release unlocked;
    weakest_links(span_of(first_child), span_of(n_branches), span_of(risk), span_of(own), span_of(lost),
                  span_of(gained));
}

}  // namespace

void register_prunings(nb::module_& m) {
    m.def("weakest_links", &links, "first_child"_a, "n_branches"_a, "risk"_a, "own"_a.noconvert(), "lost"_a.noconvert(),
          "gained"_a.noconvert(),
          "Fills the alpha of each inner node, and the leaves lost and the risk gained when it collapses.");
}
