"""Wilson's confidence interval of a proportion: it is within [0, 1] and accurate for small samples.

center = (p + z²/2n) / (1 + z²/n),   half width = z √(p(1-p)/n + z²/4n²) / (1 + z²/n)
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


def wilson(proportion: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's interval of a proportion observed in n rows."""
    check_proportion(proportion, n)
    z = z_of(confidence)
    center = proportion + z * z / (2 * n)
    half_width = z * math.sqrt(proportion * (1 - proportion) / n + z * z / (4 * n * n))
    low, high = (center - half_width) / (1 + z * z / n), (center + half_width) / (1 + z * z / n)
    # The interval contains the proportion; rounding could exclude a proportion of exactly 0 or 1.
    return max(0.0, min(low, proportion)), min(1.0, max(high, proportion))


def check_proportion(proportion: float, n: float) -> None:
    """Raise an error unless the proportion is between 0 and 1 and n is positive."""
    if not n > 0 or not 0 <= proportion <= 1:
        raise InputError(
            f"An interval requires a proportion between 0 and 1 and n above 0, got {proportion} and n = {n}.",
            proportion=proportion,
            n=n,
        )
