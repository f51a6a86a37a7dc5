// Tests of the partition of rows eight at a time.
#include "ensembles/partition.hpp"

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
            part_rows(rows.data(), is_right.data(), n, found[0].data(), found[1].data());
            for (int b = 0; b < 2; ++b) {
                const std::vector<std::uint32_t>& expected = b == 0 ? left : right;
                CHECK(found[b].back() == UNTOUCHED);
                found[b].resize(expected.size());
                CHECK(found[b] == expected);
            }
        }
}
