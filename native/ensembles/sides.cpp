#include "ensembles/sides.hpp"

namespace hornbeam {
namespace {

template <class Cell>
[[gnu::always_inline]] inline std::uint64_t summed(const Cell* cells, const std::uint64_t* rows, std::int32_t n,
                                                   Cell cut, std::int64_t& count) {
    std::uint64_t sum = 0;
    std::int64_t inside = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        sum += cells[i] <= cut ? rows[i] : 0;
        inside += cells[i] <= cut ? 1 : 0;
    }
    count = inside;
    return sum;
}

}  // namespace

HORNBEAM_CLONES std::uint64_t sum_below(const std::uint16_t* cells, const std::uint64_t* rows, std::int32_t n,
                                        std::uint16_t cut, std::int64_t& count) {
    return summed(cells, rows, n, cut, count);
}
HORNBEAM_CLONES std::uint64_t sum_below(const std::uint32_t* cells, const std::uint64_t* rows, std::int32_t n,
                                        std::uint32_t cut, std::int64_t& count) {
    return summed(cells, rows, n, cut, count);
}
HORNBEAM_CLONES std::uint64_t sum_below(const double* cells, const std::uint64_t* rows, std::int32_t n, double cut,
                                        std::int64_t& count) {
    return summed(cells, rows, n, cut, count);
}

}  // namespace hornbeam
