"""The tail of the largest of several normal variables: P(max |Z_i| > c), Z of mean 0 and a given correlation matrix.

    c below 3.5  the sum over i of P(|Z_i| > c and |Z_j| <= c for all j < i), each an integral over Z_i beyond c and the
                 Z_j given it, one after the other (Genz 1992), at the points of a fixed lattice (Richtmyer)
    c above      the sum over i of P(|Z_i| > c), less P(|Z_i| > c and |Z_j| > c) along the edges of the tree of largest
                 correlations (Hunter 1976, Worsley 1982): an upper bound that is close where c is large

Nothing is drawn: the same matrix always gives the same p. It is right to about one percent, however small it is.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hornbeam.parts.node import Floats

# Numbers in the largest table of points, and the fewest and most points.
_MOST_NUMBERS = 1 << 21
_FEWEST, _MOST = 128, 2048
# Where the bound takes over from the lattice, and the points of its integrals.
_FAR = 3.5
_NODES, _WEIGHTS = np.polynomial.laguerre.laggauss(40)
# Correlations closer to 1 than this, and variances below it, differ from it by rounding.
_NOTHING = 1e-9


def log_tail(largest: float, correlation: Floats) -> float:
    """Ln P(max |Z_i| > largest)."""
    different = _different(correlation)
    return _by_bound(largest, different) if largest >= _FAR else _by_lattice(largest, different)


def _by_bound(largest: float, correlation: Floats) -> float:
    """Of the far tail."""
    from scipy.special import log_ndtr, ndtr

    one = math.log(2.0) + float(log_ndtr(-largest))
    near = np.abs(correlation)
    np.fill_diagonal(near, 0.0)
    both = 0.0
    joined, strongest = np.zeros(len(near), dtype=np.bool_), near[0].copy()
    joined[0] = True
    # Z_i above c lies at c + t / c, t nearly exponential.
    beyond = largest + _NODES / largest
    density = _WEIGHTS * np.exp(-0.5 * (_NODES / largest) ** 2)
    density = density / density.sum()
    for _ in range(len(near) - 1):
        i = int(np.argmax(np.where(joined, -1.0, strongest)))
        r = float(strongest[i])
        both += float(density @ ndtr((r * beyond - largest) / math.sqrt(1.0 - r * r)))
        joined[i] = True
        strongest = np.maximum(strongest, near[i])
    return min(one + math.log(len(near) - both), 0.0)


def _by_lattice(largest: float, correlation: Floats) -> float:
    """Of all but the far tail."""
    from scipy.special import ndtr, ndtri

    tail = float(ndtr(-largest))
    points = _lattice(len(correlation))
    beyond = -ndtri(points[:, 0] * tail)
    first = sum(
        _inside(largest, correlation[:i, :i], np.outer(beyond, correlation[i, :i]), correlation[i, :i], points)
        for i in range(1, len(correlation))
    )
    return min(math.log(2.0 * tail * (1.0 + first)), 0.0)


def _inside(largest: float, correlation: Floats, mean: Floats, given: Floats, points: Floats) -> float:
    """P(all |Z_j| <= largest), Z_j of the given means after one variable of the given correlations is known."""
    from scipy.special import ndtr, ndtri

    covariance = correlation - np.outer(given, given)
    # Variables that follow from others have no variance left; a little keeps the factor whole.
    factor = np.linalg.cholesky(covariance + _NOTHING * np.eye(len(covariance)))
    drawn = np.zeros_like(mean)
    weight = np.ones(len(mean))
    for j in range(len(factor)):
        middle = mean[:, j] + drawn[:, :j] @ factor[j, :j]
        low, high = ndtr((-largest - middle) / factor[j, j]), ndtr((largest - middle) / factor[j, j])
        weight = weight * (high - low)
        drawn[:, j] = ndtri(np.clip(low + points[:, j + 1] * (high - low), 1e-300, 1 - 1e-16))
    return float(weight.mean())


def _different(correlation: Floats) -> Floats:
    """The correlations of the variables that repeat no earlier one."""
    kept: list[int] = []
    for i in range(len(correlation)):
        if not kept or np.abs(correlation[i, kept]).max() <= 1 - _NOTHING:
            kept.append(i)
    return correlation[np.ix_(kept, kept)]


def _lattice(d: int) -> Floats:
    """Points in the unit cube of d dimensions, the same for every call."""
    n = min(_MOST, max(_FEWEST, _MOST_NUMBERS // max(1, d * d)))
    steps = np.sqrt(_primes(d).astype(np.float64))
    whole = np.arange(1, n + 1)[:, None] * steps[None, :]
    return np.asarray(1.0 - np.abs(2.0 * (whole % 1.0) - 1.0), dtype=np.float64)


def _primes(count: int) -> npt.NDArray[np.int64]:
    """The first primes."""
    most = max(16, int(count * (math.log(count + 1) + math.log(math.log(count + 2) + 1) + 2)))
    is_prime = np.ones(most + 1, dtype=np.bool_)
    is_prime[:2] = False
    for number in range(2, math.isqrt(most) + 1):
        if is_prime[number]:
            is_prime[number * number :: number] = False
    return np.flatnonzero(is_prime)[:count]
