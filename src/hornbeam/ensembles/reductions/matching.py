"""Who should play whom in a round?  The pairs whose errors add up to the least.

A wrong winner cannot come back, so a round should ask the questions that are answered best. Up to 16 classes the exact
minimum-weight perfect matching is found, set by set of classes still to be paired; above that the pair of the smallest
error is taken again and again. Of an odd number one class has no game: the one whose absence leaves the least error.
Ties go to the first pairs in lexicographic order.
"""

from __future__ import annotations

import itertools

from hornbeam.ensembles.reductions.problem import Floats

MOST_EXACT = 16
_SLACK = 1e-12
_NOBODY = -1


def least_error_order(classes: tuple[int, ...], errors: Floats) -> list[int]:
    """The classes in the order in which neighbours play; the one without a game stands last."""
    pairs = _exact(classes, errors) if len(classes) <= MOST_EXACT else _greedy(classes, errors)
    games = sorted(pair for pair in pairs if _NOBODY not in pair)
    alone = [pair[0] for pair in pairs if pair[1] == _NOBODY]
    return [code for pair in games for code in pair] + alone


def _exact(classes: tuple[int, ...], errors: Floats) -> list[tuple[int, int]]:
    """The best way for every set of classes that can be left, the lowest class of a set always paired first."""
    players = [*sorted(classes), *([_NOBODY] if len(classes) % 2 else [])]
    everyone = (1 << len(players)) - 1
    known: dict[int, tuple[float, int]] = {0: (0.0, 0)}
    waiting = [everyone]
    while waiting:
        left = waiting[-1]
        lowest = (left & -left).bit_length() - 1
        partners = [place for place in range(lowest + 1, len(players)) if left >> place & 1]
        unknown = [rest for place in partners if (rest := left ^ 1 << lowest ^ 1 << place) not in known]
        if unknown:
            waiting += unknown
            continue
        waiting.pop()
        best = (float("inf"), -1)
        for place in partners:
            total = _error(players[lowest], players[place], errors) + known[left ^ 1 << lowest ^ 1 << place][0]
            if total < best[0] - _SLACK:
                best = (total, place)
        known[left] = best
    pairs = []
    while everyone:
        lowest, place = (everyone & -everyone).bit_length() - 1, known[everyone][1]
        pairs.append((players[lowest], players[place]))
        everyone ^= 1 << lowest ^ 1 << place
    return pairs


def _greedy(classes: tuple[int, ...], errors: Floats) -> list[tuple[int, int]]:
    left = set(classes)
    pairs = []
    games = itertools.combinations(sorted(classes), 2)
    for first, second in sorted(games, key=lambda pair: (errors[pair], pair)):
        if first in left and second in left:
            pairs.append((first, second))
            left -= {first, second}
    return pairs + [(code, _NOBODY) for code in left]


def _error(first: int, second: int, errors: Floats) -> float:
    return 0.0 if second == _NOBODY else float(errors[first, second])
