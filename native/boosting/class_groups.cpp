#include "boosting/class_groups.hpp"

#include <algorithm>

#include "core/exponential.hpp"
#include "core/random.hpp"

namespace hornbeam {

std::vector<std::uint8_t> class_group(const std::vector<std::int32_t>& classes, int n_classes, std::uint64_t seed,
                                      std::int64_t round) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(n_classes), 0);
    const auto n = static_cast<std::int64_t>(classes.size());
    Stream stream(key(seed, Purpose::other, static_cast<std::uint64_t>(round)));
    for (const std::int64_t i : stream.choose(n, n / 2)) out[classes[i]] = 1;
    return out;
}

void fill_group(const Rows& rows, const double* scores, const std::vector<std::uint8_t>& group, const Softmax& parts,
                const Units& units, std::int64_t begin, std::int64_t end, Pair* pairs) {
    const double to_g = 1.0 / units.g, to_h = 1.0 / units.h;
    for (std::int64_t i = begin; i < end; ++i) {
        double p = 0.0;
        for (std::size_t k = 0; k < group.size(); ++k)
            if (group[k]) p += exponential(scores[static_cast<std::int64_t>(k) * rows.n + i] - parts.most[i]);
        p = std::min(p * parts.scale[i], 1.0);
        const double w = rows.weights ? rows.weights[i] : 1.0;
        const double y = group[static_cast<std::size_t>(rows.target[i])];
        pairs[i] = pair_of(w * (p - y), w * (p * (1.0 - p)), to_g, to_h, units.count_bits);
    }
}

}  // namespace hornbeam
