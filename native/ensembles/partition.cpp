#include "ensembles/partition.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "core/clones.hpp"

namespace hornbeam {
namespace {

// For every set of eight, the places of those in it: four bits each, the lowest first.
[[maybe_unused]] constexpr auto PLACES = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t set = 0; set < 256; ++set)
        for (std::uint32_t place = 0, n = 0; place < 8; ++place)
            if (set >> place & 1) out[set] |= place << (4 * n++);
    return out;
}();

typedef std::uint32_t Rows8 __attribute__((vector_size(32)));
[[maybe_unused]] constexpr Rows8 SHIFTS = {0, 4, 8, 12, 16, 20, 24, 28};

}  // namespace

HORNBEAM_CLONES void part_rows(const std::uint32_t* rows, const std::uint8_t* is_right, std::int32_t n,
                               std::uint32_t* left, std::uint32_t* right) {
    std::int32_t i = 0;
#if __has_builtin(__builtin_shuffle)
    for (; i + ROWS_AT_ONCE <= n; i += ROWS_AT_ONCE) {
        std::uint64_t bytes;
        Rows8 eight;
        std::memcpy(&bytes, is_right + i, sizeof bytes);
        std::memcpy(&eight, rows + i, sizeof eight);
        const auto set = static_cast<unsigned>(bytes * 0x0102040810204080u >> 56);  // a bit a byte
        const auto put = [&](unsigned those, std::uint32_t* to) __attribute__((always_inline)) {
            // Of a place the lowest three bits count.
            const Rows8 found = __builtin_shuffle(eight, (Rows8{} + PLACES[those]) >> SHIFTS);
            std::memcpy(to, &found, sizeof found);
        };
        put(~set & 255u, left);
        put(set, right);
        const int n_right = std::popcount(set);
        left += ROWS_AT_ONCE - n_right, right += n_right;
    }
#endif
    for (; i < n; ++i) {
        *left = *right = rows[i];
        left += 1 - is_right[i], right += is_right[i];
    }
}

}  // namespace hornbeam
