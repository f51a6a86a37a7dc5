// Python bindings of the sums of rules: checks shapes, then calls the core.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "rules/covers.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

nb::object without_each(Matrix<const std::uint64_t> failing, Array<std::int32_t> kept, Array<std::uint64_t> inside,
                        Array<std::uint64_t> wrong, Array<double> weights) {
    const std::size_t n_words = failing.shape(1);
    if (inside.size() != n_words || wrong.size() != n_words) {
        throw nb::value_error("All bit sets must have the same length.");
    }
    if (weights.size() != 0 && (weights.size() + 63) / 64 != n_words) {
        throw nb::value_error("weights must be empty or have one entry per row.");
    }
    const auto n_conditions = static_cast<std::int64_t>(failing.shape(0));
    const bool are_inside =
        std::ranges::all_of(span_of(kept), [&](std::int32_t index) { return index >= 0 && index < n_conditions; });
    if (!are_inside) throw nb::value_error("kept must be indices of conditions.");
    const std::size_t n = kept.size() + 1;
    std::vector<double> sums(2 * n);
    {
        nb::gil_scoped_release unlocked;
        leave_one_out({failing.data(), n_words, inside.data(), wrong.data(), span_of(weights)}, span_of(kept),
                      {sums.data(), n}, {sums.data() + n, n});
    }
    return owned(std::move(sums), n);
}

void covered(Array<std::int64_t> chosen, Array<std::int64_t> starts, Array<std::int32_t> rules, Array<double> weights,
             Array<std::uint8_t> side, Out<double> sums) {
    const std::size_t n_rows = weights.size();
    if (starts.size() != n_rows + 1 || side.size() != n_rows || sums.size() % 2 != 0) {
        throw nb::value_error("weights, side and starts must have the same number of rows.");
    }
    const std::size_t n_rules = sums.size() / 2;
    const auto is_rule = [&](std::int32_t rule) { return static_cast<std::uint32_t>(rule) < n_rules; };
    for (const std::int64_t row : span_of(chosen)) {
        if (row < 0 || row >= static_cast<std::int64_t>(n_rows))
            throw nb::value_error("chosen must be row numbers of the table.");
        const std::int64_t first = starts.data()[row], last = starts.data()[row + 1];
        if (first < 0 || last < first || last > static_cast<std::int64_t>(rules.size()) ||
            !std::all_of(rules.data() + first, rules.data() + last, is_rule)) {
            throw nb::value_error("starts must be offsets in rules, and rules must be below the number of rules.");
        }
    }
    nb::gil_scoped_release unlocked;
    covered_sums({span_of(starts), span_of(rules), span_of(weights), span_of(side)}, span_of(chosen), n_rules,
                 span_of(sums));
}

}  // namespace

void register_rules(nb::module_& m) {
    m.def(
        "leave_one_out", &without_each, "failing"_a, "kept"_a, "inside"_a, "wrong"_a, "weights"_a,
        "The weights that a rule covers, and those that it misclassifies: with all kept conditions, and without each.");
    m.def("covered_sums", &covered, "chosen"_a, "starts"_a, "rules"_a, "weights"_a, "side"_a, "sums"_a.noconvert(),
          "Fills the weight that each rule covers among the chosen rows.");
}
