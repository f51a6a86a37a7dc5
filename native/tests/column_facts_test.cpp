// Tests of passes over the values of a column, and of the codes of values.
#include "pieces/column_facts.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "core/random.hpp"
#include "pieces/value_codes.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

std::vector<double> some_numbers(std::size_t n, std::uint64_t n_distinct) {
    Stream stream(key(n, Purpose::other));
    std::vector<double> values(n);
    for (double& value : values) {
        const std::uint64_t drawn = stream.below(n_distinct + 1);
        value = drawn == n_distinct ? NOT_A_NUMBER : static_cast<double>(drawn) * 0.5 - 3.0;
    }
    return values;
}

}  // namespace

TEST("the facts of a column are those of its known values") {
    for (const std::size_t n : {0, 1, 3, 4, 5, 100, 5001}) {
        const std::vector<double> values = some_numbers(n, 40);
        std::map<double, int> counts;
        for (const double x : values)
            if (x == x) ++counts[x];
        const NumberFacts found = facts_of(values);
        CHECK(found.n_missing == std::count_if(values.begin(), values.end(), [](double x) { return x != x; }));
        CHECK(counts.empty() ? found.minimum > found.maximum : found.minimum == counts.begin()->first);
        CHECK(counts.empty() || found.maximum == counts.rbegin()->first);
        CHECK(found.is_integer == std::all_of(counts.begin(), counts.end(), [](const auto& each) {
                  return static_cast<double>(static_cast<int>(each.first)) == each.first;
              }));
        std::vector<double> distinct;
        for (const auto& each : counts) distinct.push_back(each.first);
        CHECK(distinct_numbers(values, counts.size()) == distinct);
        CHECK(counts.empty() || !distinct_numbers(values, counts.size() - 1));
    }
}

TEST("large and infinite numbers are integers") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(facts_of(std::vector{infinity, -infinity, 1e300, -4503599627370497.0, NOT_A_NUMBER}).is_integer);
    CHECK(!facts_of(std::vector{1.0, 4503599627370495.5}).is_integer);
}

TEST("a table of distinct numbers grows") {
    const std::vector<double> values = some_numbers(100000, 20000);
    const auto found = distinct_numbers(values, 65535);
    CHECK(found && std::is_sorted(found->begin(), found->end()));
    CHECK(found->size() > 19000 && found->size() <= 20000);
}

TEST("codes of known numbers are entries of the table, and another number is found") {
    const std::vector<double> numbers = {-3.0, 0.0, 0.5, 7.0};
    const std::vector<std::uint8_t> table = {4, 1, 3, 2, 9};
    for (const std::size_t n : {1, 8, 1024, 1025, 3000}) {
        Stream stream(key(n, Purpose::other));
        std::vector<double> values(n);
        std::vector<std::uint8_t> expected(n), codes(n);
        for (std::size_t row = 0; row < n; ++row) {
            const std::size_t place = stream.below(5);
            values[row] = place == 4 ? NOT_A_NUMBER : numbers[place];
            expected[row] = table[place];
        }
        CHECK(code_known_numbers<std::uint8_t>(values, numbers, table, codes.data()));
        CHECK(codes == expected);
        values.back() = 6.0;
        CHECK(!code_known_numbers<std::uint8_t>(values, numbers, table, codes.data()));
        values.back() = 8.0;
        CHECK(!code_known_numbers<std::uint8_t>(values, numbers, table, codes.data()));
    }
}

TEST("codes of levels are entries of the table, the last one where missing") {
    const std::vector<std::int32_t> levels = {0, -1, 2, 1, -7};
    const std::vector<std::uint16_t> table = {5, 6, 7, 99};
    std::vector<std::uint16_t> codes(levels.size());
    code_levels<std::uint16_t>(levels, table, codes.data());
    CHECK((codes == std::vector<std::uint16_t>{5, 99, 7, 6, 99}));
    CHECK((count_codes(levels, 3) == std::vector<std::int64_t>{2, 1, 1, 1}));
    for (const std::int32_t too_large : {3, 100}) {
        bool is_refused = false;
        try {
            code_levels<std::uint16_t>(std::vector{too_large}, table, codes.data());
        } catch (const std::invalid_argument&) {
            is_refused = true;
        }
        CHECK(is_refused);
    }
}
