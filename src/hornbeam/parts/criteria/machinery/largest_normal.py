"""The tail probability of the largest of several normal variables: P(max |Z_i| > c), mean 0, given correlation matrix.

    c below 3.5  the sum over i of P(|Z_i| > c and |Z_j| <= c for all j < i), each an integral over Z_i beyond c and the
                 Z_j given it, one after the other (Genz 1992), at the points of a fixed lattice (Richtmyer)
    c above      the sum over i of P(|Z_i| > c), less P(|Z_i| > c and |Z_j| > c) along the edges of the tree of largest
                 correlations (Hunter 1976, Worsley 1982): an upper bound that is close where c is large

No random numbers are used: the same matrix always gives the same p. The relative error is about one percent.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hornbeam.parts.node import Floats

# The maximum size of the table of points, and the minimum and maximum number of points.
_MAX_TABLE = 1 << 21
_MIN_POINTS, _MAX_POINTS = 128, 2048
# The limit from which the bound replaces the lattice, and the points of its integrals.
_FAR = 3.5
_NODES, _WEIGHTS = np.polynomial.laguerre.laggauss(40)
# Correlations within this of 1, and variances below it, are within rounding.
_ROUNDING = 1e-9


def log_tail(largest: float, correlation: Floats) -> float:
    """The logarithm of P(max |Z_i| > largest)."""
    different = _different(correlation)
    return _by_bound(largest, different) if largest >= _FAR else _by_lattice(largest, different)


def _by_bound(largest: float, correlation: Floats) -> float:
    """The far tail, by the bound."""
    from scipy.special import log_ndtr, ndtr

    one = math.log(2.0) + float(log_ndtr(-largest))
    near = np.abs(correlation)
    np.fill_diagonal(near, 0.0)
    both = 0.0
    in_tree, strongest = np.zeros(len(near), dtype=np.bool_), near[0].copy()
    in_tree[0] = True
    # Z_i above c is c + t / c, t nearly exponential.
    beyond = largest + _NODES / largest
    density = _WEIGHTS * np.exp(-0.5 * (_NODES / largest) ** 2)
    density = density / density.sum()
    for _ in range(len(near) - 1):
        i = int(np.argmax(np.where(in_tree, -1.0, strongest)))
        r = float(strongest[i])
        both += float(density @ ndtr((r * beyond - largest) / math.sqrt(1.0 - r * r)))
        in_tree[i] = True
        strongest = np.maximum(strongest, near[i])
    return min(one + math.log(len(near) - both), 0.0)


def _by_lattice(largest: float, correlation: Floats) -> float:
    """All but the far tail, by the lattice."""
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
    """P(all |Z_j| <= largest) for given means of Z_j, conditional on one variable of given correlations."""
    from scipy.special import ndtr, ndtri

    covariance = correlation - np.outer(given, given)
    # Variables determined by others have no variance left; a small one keeps the factorization defined.
    factor = np.linalg.cholesky(covariance + _ROUNDING * np.eye(len(covariance)))
    sampled = np.zeros_like(mean)
    weight = np.ones(len(mean))
    for j in range(len(factor)):
        middle = mean[:, j] + sampled[:, :j] @ factor[j, :j]
        low, high = ndtr((-largest - middle) / factor[j, j]), ndtr((largest - middle) / factor[j, j])
        weight = weight * (high - low)
        sampled[:, j] = ndtri(np.clip(low + points[:, j + 1] * (high - low), 1e-300, 1 - 1e-16))
    return float(weight.mean())


def _different(correlation: Floats) -> Floats:
    """The correlations of the variables that do not repeat an earlier one."""
    kept: list[int] = []
    for i in range(len(correlation)):
        if not kept or np.abs(correlation[i, kept]).max() <= 1 - _ROUNDING:
            kept.append(i)
    return correlation[np.ix_(kept, kept)]


def _lattice(d: int) -> Floats:
    """Points in the unit cube of d dimensions, the same for every call."""
    n = min(_MAX_POINTS, max(_MIN_POINTS, _MAX_TABLE // max(1, d * d)))
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
