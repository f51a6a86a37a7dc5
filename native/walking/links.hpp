// apply_link: converts the sums of many trees to predictions.
//
//   identity     the sums themselves      logistic   one score: the probabilities of two classes
//   exponent     e^score, for counts      softmax    one score per class: their probabilities
//   normalized   the sums divided by their total (votes of trees with different weights)
//
// The bits do not depend on the machine (core/exponential.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/exponential.hpp"

namespace hornbeam {

enum class Link : std::int8_t { identity = 0, logistic = 1, softmax = 2, exponent = 3, normalized = 4 };

// The number of values of a prediction.
inline std::int64_t output_width(Link link, std::int64_t width) { return link == Link::logistic ? 2 : width; }

// `out` may be `scores` itself if the widths are equal.
inline void apply_link(Link link, const double* scores, std::int64_t width, double* out) {
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
            const double largest = *std::max_element(scores, scores + width);
            for (std::int64_t k = 0; k < width; ++k) out[k] = exponential(scores[k] - largest);
            break;
        }
        case Link::exponent:
            for (std::int64_t k = 0; k < width; ++k) out[k] = exponential(scores[k]);
            return;
        case Link::normalized:
            std::copy_n(scores, width, out);
            break;
    }
    const double total = std::accumulate(out, out + width, 0.0);
    for (std::int64_t k = 0; k < width; ++k) out[k] /= total;
}

}  // namespace hornbeam
