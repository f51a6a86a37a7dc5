#include "boosting/class_groups.hpp"

#include "core/random.hpp"

namespace hornbeam {

std::vector<std::uint8_t> JointTrees::group(int n_classes, std::uint64_t seed, std::int64_t round) const {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(n_classes), 0);
    const auto n = static_cast<std::int64_t>(classes.size());
    Stream stream(key(seed, Purpose::other, static_cast<std::uint64_t>(round)));
    for (const std::int64_t i : stream.choose(n, n / 2)) out[classes[i]] = 1;
    return out;
}

}  // namespace hornbeam
