"""Pairs the classes of an ADAG round such that the sum of pairwise errors is minimal.

A wrongly eliminated class cannot come back, so a round should use the most accurate classifiers. Up to 16 classes, the
exact minimum-weight perfect matching is computed by dynamic programming over sets of classes; for more classes, the
pair of the smallest error is taken repeatedly. Of an odd number of classes one has no game: the one whose absence
leaves the smallest error. Ties go to the first pairs in lexicographic order.
"""

from __future__ import annotations

import itertools

from hornbeam.ensembles.reductions.problem import Floats

MAX_EXACT = 16
_SLACK = 1e-12
_NO_OPPONENT = -1


def least_error_order(classes: tuple[int, ...], errors: Floats) -> list[int]:
    """The classes in the order in which neighbors play; the class without a game is last."""
    pairs = _exact(classes, errors) if len(classes) <= MAX_EXACT else _greedy(classes, errors)
    games = sorted(pair for pair in pairs if _NO_OPPONENT not in pair)
    alone = [pair[0] for pair in pairs if pair[1] == _NO_OPPONENT]
    return [code for pair in games for code in pair] + alone


def _exact(classes: tuple[int, ...], errors: Floats) -> list[tuple[int, int]]:
    """The best pairing, by dynamic programming over sets; the lowest class of a set is paired first."""
    players = [*sorted(classes), *([_NO_OPPONENT] if len(classes) % 2 else [])]
    remaining = (1 << len(players)) - 1
    known: dict[int, tuple[float, int]] = {0: (0.0, 0)}
    waiting = [remaining]
    while waiting:
        left = waiting[-1]
        lowest = (left & -left).bit_length() - 1
        partners = [index for index in range(lowest + 1, len(players)) if left >> index & 1]
        unknown = [rest for index in partners if (rest := left ^ 1 << lowest ^ 1 << index) not in known]
        if unknown:
            waiting += unknown
            continue
        waiting.pop()
        best = (float("inf"), -1)
        for index in partners:
            total = _error(players[lowest], players[index], errors) + known[left ^ 1 << lowest ^ 1 << index][0]
            if total < best[0] - _SLACK:
                best = (total, index)
        known[left] = best
    pairs = []
    while remaining:
        lowest, index = (remaining & -remaining).bit_length() - 1, known[remaining][1]
        pairs.append((players[lowest], players[index]))
        remaining ^= 1 << lowest ^ 1 << index
    return pairs


def _greedy(classes: tuple[int, ...], errors: Floats) -> list[tuple[int, int]]:
    left = set(classes)
    pairs = []
    games = itertools.combinations(sorted(classes), 2)
    for first, second in sorted(games, key=lambda pair: (errors[pair], pair)):
        if first in left and second in left:
            pairs.append((first, second))
            left -= {first, second}
    return pairs + [(code, _NO_OPPONENT) for code in left]


def _error(first: int, second: int, errors: Floats) -> float:
    return 0.0 if second == _NO_OPPONENT else float(errors[first, second])
