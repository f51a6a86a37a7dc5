// How do the sums of many trees become answers?
//
//   identity   the sums themselves          logistic  one score: the shares of two classes
//   exponent   e^score, for counts          softmax   a score a class: their shares
//   shares     the sums over their sum      (votes of different strength)
//
// Bits do not depend on the machine: core/exponential.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/exponential.hpp"

namespace hornbeam {

enum class Link : std::int8_t { identity = 0, logistic = 1, softmax = 2, exponent = 3, shares = 4 };

// How many numbers an answer has.
inline std::int64_t linked_width(Link link, std::int64_t width) { return link == Link::logistic ? 2 : width; }

// `out` may be `scores` itself where the widths are the same.
inline void linked(Link link, const double* scores, std::int64_t width, double* out) {
    switch (link) {
        case Link::identity:
            std::copy_n(scores, width, out);
            return;
        case Link::logistic: {
            const double second = 1.0 / (1.0 + exponential(-scores[0]));
            out[0] = 1.0 - second;
            out[1] = second;
            return;
        }
        case Link::softmax: {
            const double most = *std::max_element(scores, scores + width);
            for (std::int64_t k = 0; k < width; ++k) out[k] = exponential(scores[k] - most);
            break;
        }
        case Link::exponent:
            for (std::int64_t k = 0; k < width; ++k) out[k] = exponential(scores[k]);
            return;
        case Link::shares:
            std::copy_n(scores, width, out);
            break;
    }
    const double total = std::accumulate(out, out + width, 0.0);
    for (std::int64_t k = 0; k < width; ++k) out[k] /= total;
}

}  // namespace hornbeam
