// Python bindings of random numbers: long shuffles. The reference implementation is the stream of seeds.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include <memory>
#include <numeric>

#include "core/random.hpp"

namespace nb = nanobind;
using namespace hornbeam;

namespace {

using State = std::array<std::uint64_t, 4>;

// The integers from 0 to length - 1 in random order, and the state of the stream afterwards.
std::pair<nb::object, State> shuffled(const State& state, std::int64_t length) {
    if (length < 0) throw nb::value_error("length must be at least 0.");
    auto kept = std::make_unique<std::vector<std::int64_t>>(static_cast<std::size_t>(length));
    nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    std::vector<std::int64_t>* order = kept.release();
    std::iota(order->begin(), order->end(), 0);
    Stream stream(state);
    {
        nb::gil_scoped_release unlocked;
        stream.shuffle(*order);
    }
    return {nb::cast(nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(order->data(), {order->size()}, owner)),
            stream.state()};
}

}  // namespace

void register_random(nb::module_& m) {
    m.def("shuffled", &shuffled, nb::arg("state"), nb::arg("length"),
          "The integers from 0 to length - 1 in random order, and the state of the stream afterwards.");
}
