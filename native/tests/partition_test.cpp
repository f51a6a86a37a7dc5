// Tests of the partition of rows eight at a time.
#include "core/partition.hpp"

#include <vector>

#include "core/random.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

TEST("rows keep their order in both branches, and nothing is written beyond the required capacity") {
    constexpr std::uint32_t UNTOUCHED = 0xFFFFFFFF;
    Stream stream(key(7, Purpose::other));
    for (const std::int32_t n : {0, 1, 7, 8, 9, 15, 16, 100, 1027})
        for (const std::uint64_t one_of : {1, 2, 5, 1000}) {
            std::vector<std::uint32_t> rows, left, right;
            std::vector<std::uint8_t> is_right;
            for (std::int32_t i = 0; i < n; ++i) {
                rows.push_back(static_cast<std::uint32_t>(stream.next() >> 33));
                is_right.push_back(stream.below(one_of) == 0);
                (is_right.back() ? right : left).push_back(rows.back());
            }
            std::vector<std::uint32_t> found[2];
            for (int b = 0; b < 2; ++b) found[b].assign((b == 0 ? left : right).size() + ROWS_AT_ONCE + 1, UNTOUCHED);
            partition_rows(rows.data(), is_right.data(), n, found[0].data(), found[1].data());
            for (int b = 0; b < 2; ++b) {
                const std::vector<std::uint32_t>& expected = b == 0 ? left : right;
                CHECK(found[b].back() == UNTOUCHED);
                found[b].resize(expected.size());
                CHECK(found[b] == expected);
            }
        }
}

TEST("every partition is stable") {
    Stream stream(key(8, Purpose::other));
    for (const std::int32_t n : {0, 1, 2, 50, 333}) {
        std::vector<std::uint32_t> items(n), sides(n), spare(n + 1);
        for (std::int32_t i = 0; i < n; ++i) items[i] = i, sides[i] = static_cast<std::uint32_t>(stream.below(3));
        std::vector<std::uint32_t> expected[3];
        for (std::int32_t i = 0; i < n; ++i) expected[sides[i]].push_back(i);
        const auto joined = [&](std::vector<std::uint32_t> left, const std::vector<std::uint32_t>& right) {
            left.insert(left.end(), right.begin(), right.end());
            return left;
        };
        std::vector<std::uint32_t> rest;
        for (std::int32_t i = 0; i < n; ++i)
            if (sides[i] > 0) rest.push_back(i);
        std::vector<std::uint32_t> two = items, many = items, places(n);
        const auto is_right = [&](std::uint32_t item) { return sides[item] > 0; };
        const std::int32_t left = partition_in_two(two.data(), n, spare.data(), is_right);
        CHECK(left == static_cast<std::int32_t>(expected[0].size()));
        CHECK(two == joined(expected[0], rest));
        partition_places(
            n, left, [&](std::int32_t i) { return is_right(items[i]); },
            [&](std::int32_t i, std::int32_t to) { places[to] = items[i]; });
        CHECK(places == two);
        const std::vector<std::int32_t> starts = {0, left, left + static_cast<std::int32_t>(expected[1].size())};
        partition_in_many(many.data(), n, starts, spare.data(), [&](std::uint32_t item) { return sides[item]; });
        CHECK(many == joined(joined(expected[0], expected[1]), expected[2]));
    }
}
