"""Wilson's interval of a fraction of rows: it is inside [0, 1] and valid for few rows.

center = (p + z²/2n) / (1 + z²/n),   reach = z √(p(1-p)/n + z²/4n²) / (1 + z²/n)
"""

from __future__ import annotations

import math
import statistics

from hornbeam.errors import InputError, OptionError, short_repr

Interval = tuple[float, float]


def z_of(confidence: float) -> float:
    """The normal quantile that leaves (1 - confidence) / 2 in each tail."""
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 < confidence < 1:
        raise OptionError(
            f"confidence must be above 0 and below 1, got {short_repr(confidence)}.",
            option="confidence",
            got=confidence,
        )
    return statistics.NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(fraction: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's interval of a fraction of n rows."""
    check_proportion(fraction, n)
    z = z_of(confidence)
    center = fraction + z * z / (2 * n)
    reach = z * math.sqrt(fraction * (1 - fraction) / n + z * z / (4 * n * n))
    low, high = (center - reach) / (1 + z * z / n), (center + reach) / (1 + z * z / n)
    # The fraction is inside the interval; rounding may put 0 or 1 slightly outside.
    return max(0.0, min(low, fraction)), min(1.0, max(high, fraction))


def check_proportion(fraction: float, n: float) -> None:
    """Raise an error unless this is a fraction of a positive number of rows."""
    if not n > 0 or not 0 <= fraction <= 1:
        raise InputError(
            f"An interval requires a fraction between 0 and 1 of a positive number of rows, got {fraction} of {n}.",
            fraction=fraction,
            n=n,
        )
