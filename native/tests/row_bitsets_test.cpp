// Tests of nodes that are bit sets of rows.
#include "ensembles/row_bitsets.hpp"

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

TEST("the bit words of rows are transposed to bit words of columns") {
    Stream stream(key(3, Purpose::other));
    for (const std::int32_t n : {1, 2, 5, 63, 64}) {
        std::vector<std::uint64_t> words;
        for (std::int32_t i = 0; i < n; ++i) words.push_back(stream.next() & stream.next() & stream.next());
        std::uint64_t columns[BITSET_ROWS];
        const std::uint64_t varying = transpose_bits(words.data(), n, columns);
        for (int column = 0; column < BITSET_ROWS; ++column) {
            std::uint64_t set = 0;
            for (std::int32_t i = 0; i < n; ++i) set |= (words[i] >> column & 1) << i;
            const bool varies = set != 0 && set != first_bits(n);
            CHECK((varying >> column & 1) == varies);
            CHECK(columns[column] == (varies ? set : 0));
        }
    }
}

TEST("the cells of a set of rows are gathered and compared with cuts") {
    constexpr std::size_t STRIDE = 6;
    Stream stream(key(4, Purpose::other));
    std::vector<double> doubles;
    std::vector<float> singles;
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < 100 * STRIDE; ++i) {
        singles.push_back(static_cast<float>(stream.uniform()));
        doubles.push_back(singles.back());
    }
    for (int i = 0; i < BITSET_ROWS; ++i) rows.push_back(static_cast<std::uint32_t>(stream.below(100)));
    const std::size_t offsets[] = {5, 0, 3, 3};
    const double* from[4];
    const float* from_singles[4];
    for (int j = 0; j < 4; ++j) from[j] = doubles.data() + offsets[j], from_singles[j] = singles.data() + offsets[j];
    for (const std::uint64_t set : {std::uint64_t{1}, std::uint64_t{1} << 63, stream.next(), ~std::uint64_t{0}}) {
        double cells[4 * BITSET_ROWS], again[4 * BITSET_ROWS], low[4], high[4], low_again[4], high_again[4];
        gather_set(ColumnCells<double>{from, 4, STRIDE}, rows.data(), set, cells, low, high);
        gather_set(ColumnCells<float>{from_singles, 4, STRIDE}, rows.data(), set, again, low_again, high_again);
        const double cuts[] = {0.5, low[1], high[2], 0.1};
        std::uint64_t below[4];
        rows_below(cells, cuts, set, below);
        for (int j = 0; j < 4; ++j) {
            double smallest = 2.0, largest = -1.0;
            std::uint64_t expected = 0;
            for (int i = 0, at = 0; i < BITSET_ROWS; ++i) {
                if (!(set >> i & 1)) continue;
                const double cell = from[j][rows[i] * STRIDE];
                CHECK(cells[4 * at + j] == cell && again[4 * at + j] == cell);
                ++at;
                smallest = std::min(smallest, cell), largest = std::max(largest, cell);
                expected |= static_cast<std::uint64_t>(cell <= cuts[j]) << i;
            }
            CHECK(low[j] == smallest && high[j] == largest && low_again[j] == smallest && high_again[j] == largest);
            CHECK(below[j] == expected);
        }
    }
}

TEST("the rows of each class are counted in every set") {
    Stream stream(key(5, Purpose::other));
    std::uint64_t sets[8];
    for (std::uint64_t& set : sets) set = stream.next();
    const std::uint64_t classes[] = {first_bits(10), first_bits(40) & ~first_bits(10), 0, ~first_bits(40)};
    std::int64_t counts[4 * 8];
    count_rows(sets, 8, classes, 4, counts);
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 8; ++i) {
            std::int64_t shared = 0;
            for (int bit = 0; bit < BITSET_ROWS; ++bit) shared += (sets[i] & classes[k]) >> bit & 1;
            CHECK(counts[k * 8 + i] == shared);
        }
}
