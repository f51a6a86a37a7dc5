// Python bindings of random numbers and hashes: long shuffles, whose reference implementation is the stream of
// seeds.py, hashes of rows, and rows chosen by them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include <numeric>

#include "bind/arrays.hpp"
#include "core/random.hpp"
#include "core/row_hashes.hpp"

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

void hash_numbers(const bind::Out<std::uint64_t>& hashes, const nb::object& values) {
    const auto n_rows = static_cast<std::int64_t>(hashes.size());
    add_numbers({hashes.data(), hashes.size()}, bind::reals_of(values, n_rows));
}

void hash_levels(const bind::Out<std::uint64_t>& hashes, const nb::object& codes,
                 const bind::Array<std::uint64_t>& of_level) {
    const auto* rows = bind::data_of<std::int32_t>(codes, static_cast<std::int64_t>(hashes.size()));
    for (std::size_t i = 0; i < hashes.size(); ++i)
        if (rows[i] >= static_cast<std::int64_t>(of_level.size())) throw nb::value_error("A code has no hash.");
    add_levels({hashes.data(), hashes.size()}, rows, {of_level.data(), of_level.size()});
}

std::pair<nb::object, nb::object> chosen_rows(std::uint64_t limit, std::uint64_t key, std::int64_t first_row,
                                              std::int64_t n_rows) {
    if (n_rows < 0 || first_row < 0) throw nb::value_error("first_row and n_rows must be at least 0.");
    HashedRows found;
    {
        nb::gil_scoped_release unlocked;
        found = rows_up_to(limit, key, first_row, n_rows);
    }
    return {moved_out(std::move(found.rows)), moved_out(std::move(found.hashes))};
}

}  // namespace

void register_random(nb::module_& m) {
    m.def("shuffled", &shuffled, "state"_a, "length"_a,
          "The integers from 0 to length - 1 in random order, and the state of the stream afterwards.");
    m.def("hash_numbers", &hash_numbers, nb::arg("hashes"), nb::arg("values"),
          "Add the numbers of a column to the hashes of its rows.");
    m.def("hash_levels", &hash_levels, nb::arg("hashes"), nb::arg("codes"), nb::arg("of_level"),
          "Add the levels of a column to the hashes of its rows; the last entry of `of_level` is for missing values.");
    m.def("chosen_rows", &chosen_rows, "limit"_a, "key"_a, "first_row"_a, "n_rows"_a,
          "Those of consecutive rows whose hash, mix(row ^ key), is at most `limit`, and their hashes.");
}
