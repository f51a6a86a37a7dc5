#include "ensembles/sides.hpp"

namespace hornbeam {

HORNBEAM_CLONES std::uint64_t sum_below(const double* cells, const std::uint64_t* rows, std::int32_t n, double cut,
                                        std::int64_t& count) {
    std::uint64_t sum = 0;
    std::int64_t inside = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        sum += cells[i] <= cut ? rows[i] : 0;
        inside += cells[i] <= cut ? 1 : 0;
    }
    count = inside;
    return sum;
}

}  // namespace hornbeam
