#include "core/partition.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "core/portable.hpp"

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

using Rows8 = LanesOf<std::uint32_t, 8>;
[[maybe_unused]] constexpr Rows8 SHIFTS = {0, 4, 8, 12, 16, 20, 24, 28};

}  // namespace

HORNBEAM_CLONES void partition_rows(const std::uint32_t* rows, const std::uint8_t* is_right, std::int32_t n,
                                    std::uint32_t* left, std::uint32_t* right) {
    std::int32_t i = 0;
    for (; CAN_SHUFFLE && i + ROWS_AT_ONCE <= n; i += ROWS_AT_ONCE) {
        std::uint64_t bytes;
        Rows8 eight;
        std::memcpy(&bytes, is_right + i, sizeof bytes);
        std::memcpy(&eight, rows + i, sizeof eight);
        const auto set = static_cast<unsigned>(bytes * 0x0102040810204080u >> 56);  // a bit a byte
        const auto put = [&](unsigned those, std::uint32_t* to) HORNBEAM_INLINE {
            // Of a place the lowest three bits count.
            Rows8 found;
            shuffle_lanes(eight, (Rows8{} + PLACES[those]) >> SHIFTS, found);
            std::memcpy(to, &found, sizeof found);
        };
        put(~set & 255u, left);
        put(set, right);
        const int n_right = std::popcount(set);
        left += ROWS_AT_ONCE - n_right, right += n_right;
    }
    for (; i < n; ++i) {
        *left = *right = rows[i];
        left += 1 - is_right[i], right += is_right[i];
    }
}

}  // namespace hornbeam
