#include "ensembles/draws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"

namespace hornbeam {
namespace {

// How many of a pool are drawn: a share rounded down, at least one.
std::uint64_t wanted(double share, std::uint64_t size) {
    // A hair more, so that k / n of n rows are k.
    const auto count = static_cast<std::uint64_t>(share * static_cast<double>(size) + 1e-9);
    return std::max<std::uint64_t>(1, count);
}

void draw_from(std::vector<std::uint32_t>& pool, std::uint64_t count, bool replace, Stream& stream,
               std::vector<std::uint32_t>& times) {
    const std::uint64_t size = pool.size();
    if (replace) {
        for (std::uint64_t i = 0; i < count; ++i) ++times[pool[stream.below(size)]];
        return;
    }
    for (std::uint64_t i = 0; i < std::min(count, size); ++i) {
        std::swap(pool[i], pool[i + stream.below(size - i)]);
        ++times[pool[i]];
    }
}

}  // namespace

std::vector<std::uint32_t> multiplicities(const Draw& draw, std::int64_t n_rows, const std::uint16_t* classes,
                                          int n_classes, std::uint64_t seed, std::uint64_t tree) {
    const auto n = static_cast<std::size_t>(n_rows);
    if (draw.by == DrawBy::none) return std::vector<std::uint32_t>(n, 1);
    std::vector<std::uint32_t> times(n, 0);
    Stream stream(key(seed, Purpose::bootstrap, tree, 0));
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    if (draw.by == DrawBy::rows || !classes) {
        draw_from(all, wanted(draw.share, n), draw.replace, stream, times);
        return times;
    }
    std::vector<std::vector<std::uint32_t>> pools(n_classes);
    for (const std::uint32_t row : all) pools[classes[row]].push_back(row);
    std::size_t rarest = n;
    for (const auto& pool : pools)
        if (!pool.empty()) rarest = std::min(rarest, pool.size());
    for (auto& pool : pools) {
        if (pool.empty()) continue;
        const std::size_t of = draw.by == DrawBy::balanced ? rarest : pool.size();
        draw_from(pool, wanted(draw.share, of), draw.replace, stream, times);
    }
    return times;
}

}  // namespace hornbeam
