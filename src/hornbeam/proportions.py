"""How sure is a share of rows?  Wilson's interval, which stays inside [0, 1] and is right for few rows too.

centre = (p + z²/2n) / (1 + z²/n),   reach = z √(p(1-p)/n + z²/4n²) / (1 + z²/n)
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
            f"confidence must be above 0 and below 1; got {short_repr(confidence)}.",
            option="confidence",
            got=confidence,
        )
    return statistics.NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(share: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's interval of a share of n rows."""
    check_proportion(share, n)
    z = z_of(confidence)
    centre = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (centre - reach) / (1 + z * z / n), (centre + reach) / (1 + z * z / n)
    # The share lies inside by algebra; rounding may put an end share (0 or 1) a hair outside.
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def check_proportion(share: float, n: float) -> None:
    """Raise unless this is a share of a positive number of rows."""
    if not n > 0 or not 0 <= share <= 1:
        raise InputError(
            f"An interval needs a share between 0 and 1 of a positive number of rows; got {share} of {n}.",
            share=share,
            n=n,
        )
