#include "ensembles/lookup.hpp"

#include <algorithm>
#include <cstring>

#include "core/portable.hpp"

namespace hornbeam {
// In registers of 32 bytes, then the remaining cells one by one.
template <class Cell>
HORNBEAM_CLONES std::pair<Cell, Cell> range_of(const Cell* cells, std::int32_t n) {
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
template std::pair<std::uint16_t, std::uint16_t> range_of(const std::uint16_t*, std::int32_t);
template std::pair<std::uint32_t, std::uint32_t> range_of(const std::uint32_t*, std::int32_t);

}  // namespace hornbeam
