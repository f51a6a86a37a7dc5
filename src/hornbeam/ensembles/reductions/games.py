"""Multi-class predictions from pairwise classifiers.

    DDAG      the first class of a list plays the last, the loser is removed, until one is left (Platt 2000)
    ADAG      a knock-out: neighbors play, winners move up in order, an odd last class moves up without a game
    max-wins  all pairs play; the most wins, then the largest sum of margins, then the lowest class

DDAG and ADAG use K - 1 classifiers per row for K classes (ADAG in ceil(log2 K) rounds), max-wins K(K-1)/2.
`margins_of_pair(a, b, rows)` with a < b returns the margin of b for those rows: above 0 b wins, else a. Each row plays
its own games; no other classifiers are evaluated.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence

import numpy as np

from hornbeam.ensembles.reductions.problem import Floats, Rows

Margins = Callable[[int, int, Rows], Floats]
Pairing = Callable[[tuple[int, ...]], list[int]]
_SLACK = 1e-10


@dataclasses.dataclass(frozen=True, eq=False)
class GameResult:
    """The predicted class of each row, the number of classifiers used, and the classes left after each ADAG round."""

    codes: Rows
    evaluations: Rows
    rounds: tuple[Rows, ...] = ()


def ddag(n_rows: int, order: Sequence[int], margins_of_pair: Margins) -> GameResult:
    """The prediction of Platt's DDAG."""
    codes = np.asarray(order, dtype=np.int64)
    start = np.zeros(n_rows, dtype=np.int64)
    evaluations = np.zeros(n_rows, dtype=np.int64)
    for left in range(len(codes) - 1, 0, -1):
        margins = margins_of(codes[start], codes[start + left], margins_of_pair)
        evaluations += 1
        start += margins > 0
    return GameResult(codes[start], evaluations)


def adag(n_rows: int, order: Sequence[int], margins_of_pair: Margins, pairing: Pairing | None = None) -> GameResult:
    """The prediction of the ADAG; `pairing` orders the remaining classes before each round."""
    lists = np.tile(np.asarray(order, dtype=np.int64), (n_rows, 1))
    evaluations = np.zeros(n_rows, dtype=np.int64)
    rounds = []
    while lists.shape[1] > 1:
        lists = lists if pairing is None else pair_classes(lists, pairing)
        winners = []
        for index in range(0, lists.shape[1] - 1, 2):
            first, second = lists[:, index], lists[:, index + 1]
            winners.append(np.where(margins_of(first, second, margins_of_pair) > 0, second, first))
            evaluations += 1
        winners += [lists[:, -1]] if lists.shape[1] % 2 else []
        lists = np.column_stack(winners)
        rounds.append(lists)
    return GameResult(lists[:, 0], evaluations, tuple(rounds))


def knock_out_probabilities(
    n_rows: int, order: Sequence[int], margins_of_pair: Margins, pairing: Pairing | None = None
) -> Floats:
    """The class probabilities from the games of the ADAG; margins are here probabilities minus 1/2.

    The games form a tree with the last game at its root: the probability of a class is the product along its path, and
    the probabilities of all classes sum to 1.
    """
    lists = np.tile(np.asarray(order, dtype=np.int64), (n_rows, 1))
    within = [np.asarray(lists[:, [index]] == np.arange(len(order)), dtype=np.float64) for index in range(len(order))]
    while lists.shape[1] > 1:
        if pairing is not None:
            lists, old = pair_classes(lists, pairing), lists
            moved = [np.argmax(old == lists[:, [index]], axis=1) for index in range(lists.shape[1])]
            stacked = np.stack(within)
            within = [stacked[index, np.arange(n_rows)] for index in moved]
        winners, above = [], []
        for index in range(0, lists.shape[1] - 1, 2):
            first, second = lists[:, index], lists[:, index + 1]
            margins = margins_of(first, second, margins_of_pair)
            second_wins = (margins + 0.5)[:, None]
            winners.append(np.where(margins > 0, second, first))
            above.append((1.0 - second_wins) * within[index] + second_wins * within[index + 1])
        if lists.shape[1] % 2:
            winners.append(lists[:, -1])
            above.append(within[-1])
        lists, within = np.column_stack(winners), above
    return within[0]


def max_wins(n_rows: int, n_classes: int, margins_of_pair: Margins) -> GameResult:
    """The class with the most wins over all pairs."""
    wins, margins = np.zeros((n_rows, n_classes)), np.zeros((n_rows, n_classes))
    evaluations = np.zeros(n_rows, dtype=np.int64)
    rows = np.arange(n_rows)
    for first, second in itertools.combinations(range(n_classes), 2):
        margin = margins_of_pair(first, second, rows)
        evaluations += 1
        wins[rows, np.where(margin > 0, second, first)] += 1
        margins[:, first] -= margin
        margins[:, second] += margin
    candidates = np.where(wins == wins.max(axis=1, keepdims=True), margins, -np.inf)
    best = candidates.max(axis=1, keepdims=True)
    is_best = candidates >= best - _SLACK * np.maximum(np.abs(best), 1.0)
    return GameResult(np.argmax(is_best, axis=1).astype(np.int64), evaluations)


def pair_classes(lists: Rows, pairing: Pairing) -> Rows:
    """The remaining classes of each row, in the order in which they are paired."""
    sets, which = np.unique(np.sort(lists, axis=1), axis=0, return_inverse=True)
    orders = np.array([pairing(tuple(classes)) for classes in sets.tolist()], dtype=np.int64).reshape(sets.shape)
    found: Rows = orders[which.reshape(-1)]
    return found


def margins_of(first: Rows, second: Rows, margins_of_pair: Margins) -> Floats:
    """The margin of the second class in each row's own game; each pair is evaluated once, for all its rows.

    A tie goes to the lower class. If the second class is the lower one, a margin of 0 becomes the smallest positive
    number.
    """
    margins = np.zeros(len(first))
    low, high = np.minimum(first, second), np.maximum(first, second)
    for pair in np.unique(np.column_stack([low, high]), axis=0).tolist():
        rows = np.flatnonzero((low == pair[0]) & (high == pair[1]))
        of_high = margins_of_pair(pair[0], pair[1], rows)
        of_low = np.where(of_high == 0, np.finfo(np.float64).tiny, -of_high)
        margins[rows] = np.where(first[rows] > second[rows], of_low, of_high)
    return margins
