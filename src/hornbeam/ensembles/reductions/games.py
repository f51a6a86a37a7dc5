"""Who is left when classes play one another in pairs?

    DDAG      the first of the list plays the last, the loser is dropped, until one is left (Platt 2000)
    ADAG      a knock-out: neighbours play, winners move up in order, an odd last one moves up without a game
    max-wins  everyone plays everyone; most wins, then the largest sum of margins, then the lowest class

K classes take K - 1 games a row for DDAG and ADAG (ADAG in ceil(log2 K) rounds) and K(K-1)/2 for max-wins. `ask(a, b,
rows)` with a < b says for those rows how much speaks for b: above 0 b wins, else a. Each row plays its own games, and
only those are asked for.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence

import numpy as np

from hornbeam.ensembles.reductions.problem import Floats, Rows

Ask = Callable[[int, int, Rows], Floats]
Pairing = Callable[[tuple[int, ...]], list[int]]
_SLACK = 1e-10


@dataclasses.dataclass(frozen=True, eq=False)
class GameResult:
    """The winner of every row, how many classifiers were asked for it, and the classes left after each round (ADAG)."""

    codes: Rows
    evaluations: Rows
    rounds: tuple[Rows, ...] = ()


def ddag(n_rows: int, order: Sequence[int], ask: Ask) -> GameResult:
    """The class left by Platt's DDAG."""
    names = np.asarray(order, dtype=np.int64)
    start = np.zeros(n_rows, dtype=np.int64)
    evaluations = np.zeros(n_rows, dtype=np.int64)
    for left in range(len(names) - 1, 0, -1):
        margins = margins_of(names[start], names[start + left], ask)
        evaluations += 1
        start += margins > 0
    return GameResult(names[start], evaluations)


def adag(n_rows: int, order: Sequence[int], ask: Ask, pairing: Pairing | None = None) -> GameResult:
    """The class that wins the knock-out; `pairing` says before each round in which order the classes left play."""
    lists = np.tile(np.asarray(order, dtype=np.int64), (n_rows, 1))
    evaluations = np.zeros(n_rows, dtype=np.int64)
    rounds = []
    while lists.shape[1] > 1:
        lists = lists if pairing is None else pair_classes(lists, pairing)
        winners = []
        for place in range(0, lists.shape[1] - 1, 2):
            first, second = lists[:, place], lists[:, place + 1]
            winners.append(np.where(margins_of(first, second, ask) > 0, second, first))
            evaluations += 1
        winners += [lists[:, -1]] if lists.shape[1] % 2 else []
        lists = np.column_stack(winners)
        rounds.append(lists)
    return GameResult(lists[:, 0], evaluations, tuple(rounds))


def knock_out_probabilities(n_rows: int, order: Sequence[int], ask: Ask, pairing: Pairing | None = None) -> Floats:
    """The share of every class from the games of its row's knock-out; here `ask` answers with shares less 1/2.

    The games are a class tree with the final at its root: the share of a class is the product of the shares along its
    path, and the shares of all classes add up to 1.
    """
    lists = np.tile(np.asarray(order, dtype=np.int64), (n_rows, 1))
    within = [np.asarray(lists[:, [place]] == np.arange(len(order)), dtype=np.float64) for place in range(len(order))]
    while lists.shape[1] > 1:
        if pairing is not None:
            lists, old = pair_classes(lists, pairing), lists
            moved = [np.argmax(old == lists[:, [place]], axis=1) for place in range(lists.shape[1])]
            stacked = np.stack(within)
            within = [stacked[place, np.arange(n_rows)] for place in moved]
        winners, above = [], []
        for place in range(0, lists.shape[1] - 1, 2):
            first, second = lists[:, place], lists[:, place + 1]
            margins = margins_of(first, second, ask)
            share = (margins + 0.5)[:, None]
            winners.append(np.where(margins > 0, second, first))
            above.append((1.0 - share) * within[place] + share * within[place + 1])
        if lists.shape[1] % 2:
            winners.append(lists[:, -1])
            above.append(within[-1])
        lists, within = np.column_stack(winners), above
    return within[0]


def max_wins(n_rows: int, n_classes: int, ask: Ask) -> GameResult:
    """The class with most wins over all pairs."""
    wins, margins = np.zeros((n_rows, n_classes)), np.zeros((n_rows, n_classes))
    evaluations = np.zeros(n_rows, dtype=np.int64)
    rows = np.arange(n_rows)
    for first, second in itertools.combinations(range(n_classes), 2):
        margin = ask(first, second, rows)
        evaluations += 1
        wins[rows, np.where(margin > 0, second, first)] += 1
        margins[:, first] -= margin
        margins[:, second] += margin
    among = np.where(wins == wins.max(axis=1, keepdims=True), margins, -np.inf)
    best = among.max(axis=1, keepdims=True)
    is_best = among >= best - _SLACK * np.maximum(np.abs(best), 1.0)
    return GameResult(np.argmax(is_best, axis=1).astype(np.int64), evaluations)


def pair_classes(lists: Rows, pairing: Pairing) -> Rows:
    """The classes left for every row, in the order in which they play."""
    sets, which = np.unique(np.sort(lists, axis=1), axis=0, return_inverse=True)
    orders = np.array([pairing(tuple(classes)) for classes in sets.tolist()], dtype=np.int64).reshape(sets.shape)
    found: Rows = orders[which.reshape(-1)]
    return found


def margins_of(first: Rows, second: Rows, ask: Ask) -> Floats:
    """How much speaks for the second class of every row's own game; each pair is asked once, for its rows together.

    A tie goes to the lower class, which is not the first where the order is turned: a margin of 0 is then told as the
    least above 0.
    """
    margins = np.zeros(len(first))
    low, high = np.minimum(first, second), np.maximum(first, second)
    for pair in np.unique(np.column_stack([low, high]), axis=0).tolist():
        rows = np.flatnonzero((low == pair[0]) & (high == pair[1]))
        said = ask(pair[0], pair[1], rows)
        turned = np.where(said == 0, np.finfo(np.float64).tiny, -said)
        margins[rows] = np.where(first[rows] > second[rows], turned, said)
    return margins
