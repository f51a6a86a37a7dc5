#include "ensembles/row_sampling.hpp"

#include <algorithm>
#include <numeric>

#include "core/random.hpp"

namespace hornbeam {
namespace {

// The number of rows that are sampled from a pool: a fraction of its size, rounded down, at least one.
std::uint64_t sample_size(double fraction, std::uint64_t size) {
    // 1e-9 compensates rounding: a fraction of k / n of n rows is k rows.
    const auto count = static_cast<std::uint64_t>(fraction * static_cast<double>(size) + 1e-9);
    return std::max<std::uint64_t>(1, count);
}

void sample_from(std::vector<std::uint32_t>& pool, std::uint64_t count, bool replace, Stream& stream,
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

std::vector<std::uint32_t> multiplicities(const RowSampling& sampling, std::int64_t n_rows,
                                          const std::uint16_t* classes, int n_classes, std::uint64_t seed,
                                          std::uint64_t tree) {
    const auto n = static_cast<std::size_t>(n_rows);
    if (sampling.by == SampleBy::none) return std::vector<std::uint32_t>(n, 1);
    std::vector<std::uint32_t> times(n, 0);
    Stream stream(key(seed, Purpose::bootstrap, tree, 0));
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    if (sampling.by == SampleBy::rows || !classes) {
        sample_from(all, sample_size(sampling.fraction, n), sampling.replace, stream, times);
        return times;
    }
    std::vector<std::vector<std::uint32_t>> pools(n_classes);
    for (const std::uint32_t row : all) pools[classes[row]].push_back(row);
    std::size_t rarest = n;
    for (const auto& pool : pools)
        if (!pool.empty()) rarest = std::min(rarest, pool.size());
    for (auto& pool : pools) {
        if (pool.empty()) continue;
        const std::size_t size = sampling.by == SampleBy::balanced ? rarest : pool.size();
        sample_from(pool, sample_size(sampling.fraction, size), sampling.replace, stream, times);
    }
    return times;
}

}  // namespace hornbeam
