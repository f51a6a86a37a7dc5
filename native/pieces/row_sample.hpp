// How often a row is in the sample of a tree: by a hash of its number in the whole table, so that samples do not depend
// on pieces.
#pragma once

#include <array>
#include <cstdint>

#include "core/random.hpp"

namespace hornbeam {

struct RowSample {
    enum class Method : int { none, poisson, part, outside };
    Method method = Method::none;
    std::uint64_t key = 0;
    double fraction = 1.0;        // the expected count of a row
    double from = 0.0, to = 0.0;  // outside: the part of the hashes whose rows are left out, a fold

    // Counts with a Poisson distribution, once with this probability, or once outside a fold.
    std::int64_t times(std::int64_t row) const {
        if (method == Method::none) return 1;
        const double at = static_cast<double>(mix(key ^ mix(static_cast<std::uint64_t>(row))) >> 11) * 0x1.0p-53;
        if (method == Method::part) return at < fraction;
        if (method == Method::outside) return at < from || at >= to;
        std::int64_t count = 0;
        while (count < MOST && at >= below[count]) ++count;
        return count;
    }
    static constexpr int MOST = 16;
    std::array<double, MOST> below = {};  // Poisson: the probability of at most this count

    void set_below(double none) {  // `none`: exp(-fraction)
        double each = none, sum = 0.0;
        for (int k = 0; k < MOST; ++k) {
            sum += each;
            below[k] = sum;
            each *= fraction / (k + 1);
        }
    }
};

}  // namespace hornbeam
