#include "ensembles/lookup.hpp"

#include <algorithm>
#include <cstring>

#include "core/portable.hpp"
#include "searches/cut.hpp"

namespace hornbeam {
namespace {

// In registers of 32 bytes, then the remaining cells one by one.
template <class Cell>
[[gnu::always_inline]] inline std::pair<Cell, Cell> range_in_lanes(const Cell* cells, std::int32_t n) {
    constexpr std::int32_t WIDTH = 32 / sizeof(Cell);
    using Lanes = LanesOf<Cell, WIDTH>;
    Cell low = cells[0], high = cells[0];
    std::int32_t i = 0;
    if (n >= WIDTH) {
        Lanes minimum, maximum;
        std::memcpy(&minimum, cells, sizeof minimum);
        maximum = minimum;
        for (i = WIDTH; i + WIDTH <= n; i += WIDTH) {
            Lanes next;
            std::memcpy(&next, cells + i, sizeof next);
            minimum = HORNBEAM_SELECT(next < minimum, next, minimum);
            maximum = HORNBEAM_SELECT(next > maximum, next, maximum);
        }
        for (int lane = 0; lane < WIDTH; ++lane) {
            low = std::min<Cell>(low, minimum[lane]);
            high = std::max<Cell>(high, maximum[lane]);
        }
    }
    for (; i < n; ++i) {
        low = std::min(low, cells[i]);
        high = std::max(high, cells[i]);
    }
    return {low, high};
}

}  // namespace

HORNBEAM_CLONES std::pair<std::uint16_t, std::uint16_t> range_of(const std::uint16_t* cells, std::int32_t n) {
    return range_in_lanes(cells, n);
}
HORNBEAM_CLONES std::pair<std::uint32_t, std::uint32_t> range_of(const std::uint32_t* cells, std::int32_t n) {
    return range_in_lanes(cells, n);
}

}  // namespace hornbeam
