// Vectorized exp and log (smooth.hpp).
#include "oblique/smooth.hpp"

#include <cmath>

#include "core/exponential.hpp"
#include "core/portable.hpp"

namespace hornbeam {
namespace {

using Four = LanesOf<double, 4>;

// exp(x) for -700 <= x <= 0, with another division of ln 2 into two parts than exponential().
inline double exp_of(double x) {
    constexpr double MAGIC = 0x1.8p52;  // adding it rounds to an integer, stored in the lowest bits
    constexpr double LN2_HIGH = 0x1.62e42fefa3800p-1, LN2_LOW = 0x1.ef35793c76730p-45;
    const double shifted = x * 0x1.71547652b82fep0 + MAGIC;
    const double k = shifted - MAGIC;
    const double r = (x - k * LN2_HIGH) - k * LN2_LOW;
    return exponential_of_parts(r, shifted);
}

// ln(1 + e) for 0 <= e <= 1: twice the series of artanh((m - 1) / (m + 1)) for m = 1 + e, halved above 1.5.
inline double log_of(double e) {
    constexpr double LN2 = 0x1.62e42fefa39efp-1;
    const bool is_large = e > 0.5;
    const double top = is_large ? e - 1.0 : e;  // (m / 2 - 1) and (m / 2 + 1) times 2
    const double s = top / (is_large ? 3.0 + e : 2.0 + e);
    const double q = s * s;
    double p = 1.0 / 25.0;
    p = p * q + 1.0 / 23.0;
    p = p * q + 1.0 / 21.0;
    p = p * q + 1.0 / 19.0;
    p = p * q + 1.0 / 17.0;
    p = p * q + 1.0 / 15.0;
    p = p * q + 1.0 / 13.0;
    p = p * q + 1.0 / 11.0;
    p = p * q + 1.0 / 9.0;
    p = p * q + 1.0 / 7.0;
    p = p * q + 1.0 / 5.0;
    p = p * q + 1.0 / 3.0;
    p = p * q + 1.0;
    return 2.0 * s * p + (is_large ? LN2 : 0.0);
}

}  // namespace

HORNBEAM_CLONES void doubts_and_losses(const double* __restrict margins, int n, double* __restrict doubt,
                                       double* __restrict loss) {
    for (int i = 0; i < n; ++i) {
        const double m = margins[i];
        const double size = std::fabs(m) < 700.0 ? std::fabs(m) : 700.0;
        const double e = exp_of(-size);
        doubt[i] = (m >= 0 ? e : 1.0) / (1.0 + e);
        loss[i] = (m >= 0 ? 0.0 : -m) + log_of(e);
    }
}

HORNBEAM_CLONES void rows_times(const double* const* rows, int n, const double* theta, int stride, double* out) {
    for (int i = 0; i < n; ++i) {
        Four sum = {}, cells, factors;
        for (int k = 0; k < stride; k += 4) {
            load_lanes(cells, rows[i] + k);
            load_lanes(factors, theta + k);
            sum += cells * factors;
        }
        out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

HORNBEAM_CLONES void subtract_pulls(const double* const* rows, int n, const double* pull, int stride,
                                    double* gradient) {
    for (int k = 0; k < stride; k += 4) {
        Four sum, cells;
        load_lanes(sum, gradient + k);
        for (int i = 0; i < n; ++i) {
            load_lanes(cells, rows[i] + k);
            sum -= pull[i] * cells;
        }
        store_lanes(gradient + k, sum);
    }
}

}  // namespace hornbeam
