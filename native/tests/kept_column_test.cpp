// Tests of kept columns: the same ranks and codes as columns prepared from the values of the rows themselves.
#include "core/kept_column.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "binned/bins.hpp"
#include "core/random.hpp"
#include "core/ranks.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

std::vector<double> values_of(Stream& stream, std::int64_t n, std::uint64_t n_values, bool has_missing) {
    std::vector<double> out;
    for (std::int64_t i = 0; i < n; ++i) {
        const double value = static_cast<double>(stream.below(n_values)) / 4 - 10;
        const bool is_missing = has_missing && stream.below(10) == 0;
        out.push_back(is_missing ? NONE : value == 0 && stream.below(2) == 0 ? -0.0 : value);
    }
    return out;
}

// Different rows, in their order or shuffled.
std::vector<std::uint32_t> rows_of(Stream& stream, std::int64_t n, bool is_shuffled) {
    std::vector<std::uint32_t> out;
    for (std::int64_t i = 0; i < n; ++i)
        if (stream.below(10) < 7) out.push_back(static_cast<std::uint32_t>(i));
    for (std::size_t i = out.size(); is_shuffled && i > 1; --i) std::swap(out[i - 1], out[stream.below(i)]);
    return out;
}

std::vector<std::uint32_t> codes_of(const ReadyColumn& column, std::int64_t n) {
    std::vector<std::uint32_t> out;
    with_codes(column.codes, [&](const auto* codes) { out.assign(codes, codes + n); });
    return out;
}

bool are_equal(const ReadyColumn& a, const ReadyColumn& b, std::int64_t n) {
    return a.is_listed == b.is_listed && a.is_sparse == b.is_sparse && a.has_missing == b.has_missing &&
           a.n_codes == b.n_codes && a.common == b.common && a.values == b.values && a.sorted == b.sorted &&
           a.codes.bytes == b.codes.bytes && codes_of(a, n) == codes_of(b, n);
}

template <class Use>
void each_column(const Use& use) {
    Stream stream(key(3, Purpose::other));
    for (const std::int64_t n : {1, 5, 700, 3000})
        for (const std::uint64_t n_values : {1, 2, 9, 300, 100'000})
            for (const bool has_missing : {false, true}) use(stream, values_of(stream, n, n_values, has_missing));
}

SourceColumn numeric(const std::vector<double>& values) {
    SourceColumn out;
    out.reals = Reals(values.data());
    return out;
}

}  // namespace

TEST("a kept column has the ranks, codes and sparse lists of its values") {
    each_column([](Stream&, const std::vector<double>& values) {
        const auto n = static_cast<std::int64_t>(values.size());
        const KeptColumn kept(numeric(values), n);
        CHECK(kept.n_bytes() == 0);
        for (const bool keep_values : {false, true}) {
            ReadyColumn expected = ranked(values.data(), n, keep_values);
            CHECK(are_equal(kept.ready(keep_values, false), expected, n));
            make_sparse(expected, n);
            CHECK(are_equal(kept.ready(keep_values, true), expected, n));
        }
        CHECK(kept.n_bytes() > 0);
    });
}

TEST("some rows of a kept column have the ranks of a column of these rows, in any order") {
    each_column([](Stream& stream, const std::vector<double>& values) {
        const auto n = static_cast<std::int64_t>(values.size());
        const KeptColumn kept(numeric(values), n);
        for (const bool is_shuffled : {false, true}) {
            const std::vector<std::uint32_t> rows = rows_of(stream, n, is_shuffled);
            if (rows.empty()) continue;
            std::vector<double> taken;
            for (const std::uint32_t row : rows) taken.push_back(values[row]);
            const auto m = static_cast<std::int64_t>(rows.size());
            const ChosenRows chosen(rows.data(), m, n, false);
            CHECK(are_equal(kept.ready(chosen, true), ranked(taken.data(), m, true), m));
        }
    });
}

TEST("bins from kept ranks are the bins of the values") {
    each_column([](Stream& stream, const std::vector<double>& values) {
        const auto n = static_cast<std::int64_t>(values.size());
        const KeptColumn kept(numeric(values), n);
        SourceColumn source = numeric(values);
        source.kept = &kept;
        std::vector<std::int64_t> weights;
        for (std::int64_t i = 0; i < n; ++i) weights.push_back(1 + static_cast<std::int64_t>(stream.below(5)));
        for (const int bins : {2, 20, 255})
            for (const bool is_weighted : {false, true}) {
                const std::int64_t* weight = is_weighted ? weights.data() : nullptr;
                BinnedColumn one, other;
                std::vector<std::uint16_t> codes(n), expected(n);
                bin_kept(source, n, weight, bins, one, codes.data());
                bin_numbers(values.data(), n, weight, bins, other, expected.data());
                CHECK(codes == expected);
                CHECK(one.n_bins == other.n_bins && one.has_missing == other.has_missing);
                CHECK(one.low == other.low && one.high == other.high);
            }
    });
}

TEST("a node keeps the codes and the values of all rows") {
    const std::vector<double> values = {3, 1, 2, 1, 3};
    const KeptColumn kept(numeric(values), 5);
    const std::vector<std::uint32_t> rows = {0, 4, 1};
    const ReadyColumn node = kept.ready(ChosenRows(rows.data(), 3, 5, true), true);
    CHECK(node.n_codes == 3);
    CHECK((codes_of(node, 3) == std::vector<std::uint32_t>{2, 2, 0}));
    CHECK((node.values == std::vector<double>{1, 2, 3}));
}

TEST("threads that need a column at the same time get the same ranks") {
    Stream stream(key(4, Purpose::other));
    const std::vector<double> values = values_of(stream, 20'000, 1'000'000, true);
    const KeptColumn kept(numeric(values), 20'000);
    std::vector<ReadyColumn> found(4);
    std::vector<std::thread> threads;
    for (ReadyColumn& column : found) threads.emplace_back([&] { column = kept.ready(true, true); });
    for (std::thread& thread : threads) thread.join();
    for (const ReadyColumn& column : found) CHECK(are_equal(column, found[0], 20'000));
}

TEST("rows that occur twice or are not in the table are refused") {
    const auto is_refused = [](const std::vector<std::uint32_t>& rows) {
        try {
            ChosenRows(rows.data(), static_cast<std::int64_t>(rows.size()), 3, false);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(is_refused({0, 0}) && is_refused({3}) && !is_refused({2, 0}));
}
