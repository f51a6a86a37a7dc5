"""Random streams: one seed gives an independent stream per purpose, tree and node.

    mix(x) = splitmix64's finalizer of x + 0x9E3779B97F4A7C15
    key    = mix(mix(mix(mix(seed) ^ purpose) ^ tree) ^ node)

A stream is xoshiro256** seeded with four successive splitmix64 outputs from state = key. The key depends on what the
random numbers are used for and not on the thread that generates them, so results do not depend on the number of threads
or on the order of work. `native/core/random.hpp` implements the same streams in the compiled core.
"""

from __future__ import annotations

import enum
import operator
import secrets
from typing import Any, SupportsIndex, cast

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_integer

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_CHILD = 0xD1342543DE82EF95
_SHUFFLED_IN_PYTHON = 64  # longer sequences are shuffled by the compiled core


class Purpose(enum.IntEnum):
    """The use of a random stream."""

    BOOTSTRAP = 1
    FEATURES = 2
    THRESHOLDS = 3
    FOLDS = 4
    PERMUTATIONS = 5
    OBLIQUE = 6
    SUBSAMPLE = 7
    OTHER = 8


def mix(x: int) -> int:
    """A bijection of 64-bit words; similar inputs give unrelated outputs."""
    z = (x + _STEP) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def key(seed: int, purpose: int, tree: int = 0, node: int = 0) -> int:
    """The key of one stream."""
    return mix(mix(mix(mix(seed & _MASK) ^ purpose) ^ tree) ^ node)


ROOT = 1


def child_id(node: int, branch: int) -> int:
    """The id of a child node: it depends on the path from the root only."""
    return mix(node ^ (((branch + 1) * _CHILD) & _MASK))


class Stream:
    """xoshiro256**: bounded integers, uniform floats, subsets and shuffles."""

    def __init__(self, stream_key: int) -> None:
        state = stream_key & _MASK
        words = []
        for _ in range(4):
            words.append(mix(state))
            state = (state + _STEP) & _MASK
        self._s = words

    @classmethod
    def of(cls, seed: int, purpose: int, tree: int = 0, node: int = 0) -> Stream:
        """The stream for a seed, a purpose, a tree and a node."""
        return cls(key(seed, purpose, tree, node))

    def next(self) -> int:
        """The next 64 random bits."""
        s = self._s
        result = (_rotl((s[1] * 5) & _MASK, 7) * 9) & _MASK
        t = (s[1] << 17) & _MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotl(s[3], 45)
        return result

    def below(self, m: int) -> int:
        """An unbiased integer from 0 to m - 1 (Lemire's method)."""
        product = self.next() * m
        low = product & _MASK
        if low < m:
            threshold = ((1 << 64) - m) % m
            while low < threshold:
                product = self.next() * m
                low = product & _MASK
        return product >> 64

    def uniform(self) -> float:
        """A float in [0, 1)."""
        return (self.next() >> 11) * 2.0**-53

    def choose(self, d: int, k: int) -> list[int]:
        """A sorted sample of k of the integers 0..d-1, without replacement."""
        pool = list(range(d))
        for i in range(k):
            j = i + self.below(d - i)
            pool[i], pool[j] = pool[j], pool[i]
        return sorted(pool[:k])

    def shuffled(self, length: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The integers 0..length-1 in random order; long sequences are shuffled by the core, with the same result."""
        if length > _SHUFFLED_IN_PYTHON:
            from hornbeam import _native

            order, state = _native.shuffled(self._s, length)
            self._s = list(state)
            return np.asarray(order, dtype=np.int64)
        order = np.arange(length, dtype=np.int64)
        for i in range(length - 1):
            j = i + self.below(length - i)
            order[i], order[j] = order[j], order[i]
        return order


def _rotl(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


def as_seed(given: object) -> int:
    """A seed from a user's argument: None (a random seed), an integer, a NumPy Generator or RandomState."""
    if given is None:
        return secrets.randbits(63)
    if is_integer(given):
        number = operator.index(cast(SupportsIndex, given))
        if 0 <= number <= _MASK:
            return number
        raise OptionError(f"seed must be between 0 and 2^64 - 1, got {number}.", option="seed", got=given)
    if isinstance(given, np.random.Generator):
        return int(given.integers(0, 2**63 - 1))
    if isinstance(given, np.random.RandomState):
        return int(given.randint(0, 2**31 - 1))
    raise OptionError(
        f"seed must be an integer, a NumPy generator or None, got {short_repr(given)} ({type(given).__name__}).",
        option="seed",
        got=given,
    )
