// Random numbers keyed by their purpose, equal bit for bit to the reference implementation in seeds.py.
//
//     key = mix(mix(mix(mix(seed) ^ purpose) ^ tree) ^ node)      a stream is xoshiro256** seeded with that key
//
// A random number never depends on the thread that generates it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/portable.hpp"

namespace hornbeam {

enum class Purpose : std::uint64_t {
    bootstrap = 1,
    features = 2,
    thresholds = 3,
    folds = 4,
    permutations = 5,
    oblique = 6,
    subsample = 7,
    other = 8,
};

inline constexpr std::uint64_t GOLDEN_GAMMA = 0x9E3779B97F4A7C15ULL;
inline constexpr std::uint64_t kRootId = 1;

// A bijection of 64-bit words that scatters adjacent inputs (the finalizer of splitmix64, applied to x + GOLDEN_GAMMA).
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    std::uint64_t z = x + GOLDEN_GAMMA;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

constexpr std::uint64_t key(std::uint64_t seed, Purpose purpose, std::uint64_t tree = 0,
                            std::uint64_t node = 0) noexcept {
    return mix(mix(mix(mix(seed) ^ static_cast<std::uint64_t>(purpose)) ^ tree) ^ node);
}

// The identity of a node's child: depends on the path alone.
constexpr std::uint64_t child_id(std::uint64_t node, std::uint64_t branch) noexcept {
    return mix(node ^ ((branch + 1) * 0xD1342543DE82EF95ULL));
}

class Stream {
  public:
    explicit Stream(std::uint64_t key) noexcept {
        for (auto& word : state_) {
            word = mix(key);
            key += GOLDEN_GAMMA;
        }
    }

    explicit Stream(const std::array<std::uint64_t, 4>& state) noexcept : state_(state) {}
    const std::array<std::uint64_t, 4>& state() const noexcept { return state_; }

    std::uint64_t next() noexcept {
        const std::uint64_t result = rotated(state_[1] * 5, 7) * 9;
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = rotated(state_[3], 45);
        return result;
    }

    // A uniform integer from 0 to m - 1, m >= 1, without bias (Lemire).
    std::uint64_t below(std::uint64_t m) noexcept {
        auto product = full_product(next(), m);
        if (product.low < m) {
            const std::uint64_t threshold = (0 - m) % m;
            while (product.low < threshold) product = full_product(next(), m);
        }
        return product.high;
    }

    // A uniform double in [0, 1).
    double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // k different integers from 0 to d - 1, ascending.
    std::vector<std::int64_t> choose(std::int64_t d, std::int64_t k) {
        std::vector<std::int64_t> pool(static_cast<std::size_t>(d));
        std::iota(pool.begin(), pool.end(), std::int64_t{0});
        for (std::int64_t i = 0; i < k; ++i) {
            std::swap(pool[i], pool[i + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(d - i)))]);
        }
        pool.resize(static_cast<std::size_t>(k));
        std::sort(pool.begin(), pool.end());
        return pool;
    }

    // Fisher-Yates shuffle from the front.
    template <class T>
    void shuffle(std::vector<T>& items) noexcept {
        for (std::size_t i = 0; i + 1 < items.size(); ++i) {
            std::swap(items[i], items[i + below(items.size() - i)]);
        }
    }

  private:
    static constexpr std::uint64_t rotated(std::uint64_t x, int k) noexcept { return (x << k) | (x >> (64 - k)); }

    std::array<std::uint64_t, 4> state_{};
};

}  // namespace hornbeam
