// Tests of the fallbacks of portable.hpp against the types that this build uses: the same bits.
#include "core/portable.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

template <class Integer>
std::uint64_t high_word(const Integer& value) {  // by arithmetic alone: both types have it
    const Integer shift = Integer{1} << 62;
    return static_cast<std::uint64_t>(value / shift / Integer{4});
}

// Products of words of every size and sign, whose sums and differences need 128 bits.
std::vector<std::int64_t> words() {
    std::vector<std::int64_t> out = {0, 1, -1, std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min() + 1};
    Stream stream(7);
    for (int bits = 1; bits < 64; bits += 4) {
        const auto word = static_cast<std::int64_t>(stream.next() >> (64 - bits));
        out.push_back(word);
        out.push_back(-word);
    }
    return out;
}

bool is_same(const Wide& a, const portable::Wide& b) {
    return static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b) && high_word(a) == high_word(b) &&
           std::bit_cast<std::uint64_t>(static_cast<double>(a)) == std::bit_cast<std::uint64_t>(static_cast<double>(b));
}

}  // namespace

TEST("portable integers of 128 bits add, subtract, multiply, divide, shift and round like those of the build") {
    const auto all = words();
    for (const std::int64_t a : all)
        for (const std::int64_t b : all) {
            const Wide product = static_cast<Wide>(a) * b;
            const portable::Wide other = static_cast<portable::Wide>(a) * b;
            CHECK(is_same(product, other));
            CHECK(is_same(product - a, other - a));
            CHECK(is_same(product + b, other + b));
            CHECK(is_same(-product, -other));
            if (b != 0) CHECK(is_same((product + a) / b, (other + a) / b));
            for (const int n : {0, 1, 30, 63, 64, 65, 100, 127}) CHECK(is_same(product >> n, other >> n));
            if (a > 0) CHECK(is_same(static_cast<Wide>(b) << (a % 60), portable::Wide(b) << static_cast<int>(a % 60)));
        }
}

TEST("portable integers of 128 bits come from doubles as those of the build do") {
    for (const double size : {0.0, 0.7, 1.5, 0x1p53, 0x1.8p63, 0x1p64, 0x1.fffffffffffffp100, 0x1.23456789abcdep126})
        for (const double value : {size, -size}) CHECK(is_same(static_cast<Wide>(value), portable::Wide(value)));
}

TEST("the product of two words has 128 bits") {
    for (const std::int64_t a : words())
        for (const std::int64_t b : words()) {
            const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
            CHECK(full_product(x, y).high == portable::full_product(x, y).high);
            CHECK(full_product(x, y).low == portable::full_product(x, y).low);
        }
}

TEST("portable lanes compute the bits of the vector types of the build") {
    using Native = LanesOf<double, 4>;
    using Fallback = portable::Lanes<double, 4>;
    Stream stream(11);
    for (int round = 0; round < 200; ++round) {
        double left[4], right[4], a[4], b[4];
        for (int i = 0; i < 4; ++i) {
            left[i] = stream.uniform() - 0.5;
            right[i] = round % 3 == 0 && i == 2 ? left[i] : stream.uniform() - 0.5;
        }
        Native x, y;
        Fallback u, v;
        load_lanes(x, left), load_lanes(y, right), load_lanes(u, left), load_lanes(v, right);
        x = HORNBEAM_SELECT(x < y, x * y + 3.0, -x - y);
        u = portable::select(u < v, u * v + 3.0, -u - v);
        store_lanes(a, x), store_lanes(b, u);
        CHECK(std::memcmp(a, b, sizeof a) == 0);
    }
}

TEST("lanes of integers compare to all ones, shift and wrap") {
    const portable::Lanes<std::int32_t, 2> a = {1, std::numeric_limits<std::int32_t>::max()}, b = {2, 5};
    CHECK((a < b)[0] == -1);
    CHECK((a < b)[1] == 0);
    CHECK((a + 1)[1] == std::numeric_limits<std::int32_t>::min());
    const portable::Lanes<std::int32_t, 2> shifts = {1, 2};
    CHECK((b << shifts)[0] == 4);
    CHECK((b << shifts)[1] == 20);
    CHECK(((b >> 1) & 1)[0] == 1);
    CHECK((-b)[1] == -5);
}

TEST("memory in large pages starts at a cache line") {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{3} << 20}) {
        void* memory = allocate_large(bytes);
        CHECK(memory != nullptr);
        CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
        std::memset(memory, 1, bytes);
        free_large(memory);
    }
}

TEST("at least one processor is available") { CHECK(available_processors() >= 1); }
