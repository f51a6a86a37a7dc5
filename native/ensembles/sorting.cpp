#include "ensembles/sorting.hpp"

#include <cstring>

namespace hornbeam {
namespace {

using Lanes = LanesOf<std::int32_t, 8>;

}  // namespace

HORNBEAM_CLONES void sort_small(std::int32_t* keys, std::int32_t n, std::int32_t* out) {
    std::int32_t position[SMALL_SORT_KEYS + 16];
    for (std::int32_t i = 0; i < n; i += 16) {
        Lanes a, b, below_a = {}, below_b = {};
        std::memcpy(&a, keys + i, sizeof a);
        std::memcpy(&b, keys + i + 8, sizeof b);
        for (std::int32_t j = 0; j < n; ++j) {
            const Lanes other = Lanes{} + keys[j];
            below_a -= other < a;
            below_b -= other < b;
        }
        std::memcpy(position + i, &below_a, sizeof a);
        std::memcpy(position + i + 8, &below_b, sizeof b);
    }
    for (std::int32_t i = 0; i < n; ++i) out[position[i]] = keys[i];
}

}  // namespace hornbeam
