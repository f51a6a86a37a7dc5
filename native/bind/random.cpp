// Python bindings of random numbers: long shuffles. The reference implementation is the stream of seeds.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include <numeric>

#include "bind/arrays.hpp"
#include "core/random.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

using State = std::array<std::uint64_t, 4>;

// The integers from 0 to length - 1 in random order, and the state of the stream afterwards.
std::pair<nb::object, State> shuffled(const State& state, std::int64_t length) {
    if (length < 0) throw nb::value_error("length must be at least 0.");
    std::vector<std::int64_t> order(static_cast<std::size_t>(length));
    std::iota(order.begin(), order.end(), 0);
    Stream stream(state);
    {
        nb::gil_scoped_release unlocked;
        stream.shuffle(order);
    }
    return {moved_out(std::move(order)), stream.state()};
}

}  // namespace

void register_random(nb::module_& m) {
    m.def("shuffled", &shuffled, "state"_a, "length"_a,
          "The integers from 0 to length - 1 in random order, and the state of the stream afterwards.");
}
