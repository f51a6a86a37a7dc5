"""One classifier per pair of classes: K(K-1)/2 of them, each trained on the rows of its two classes.

class           by DDAG, ADAG or max-wins (games.py)
probabilities   coupled from all pairs (coupling.py), or, for ADAG, the product along the games played
"""

from __future__ import annotations

import dataclasses
import itertools
from functools import cache, partial
from typing import Any

import numpy as np

from hornbeam.ensembles.reductions.binary import Binary, cross_validated_error, fit_binary
from hornbeam.ensembles.reductions.coupling import couple_probabilities
from hornbeam.ensembles.reductions.games import GameResult, adag, ddag, knock_out_probabilities, max_wins
from hornbeam.ensembles.reductions.matching import least_error_order
from hornbeam.ensembles.reductions.problem import Floats, Problem, Rows, run_in_order, take_rows

_MAX_CELLS = 4_000_000


@dataclasses.dataclass(frozen=True, eq=False)
class Pairs:
    """The classifiers of all pairs, and how their predictions are combined.

    `plays` is ddag, adag or max_wins; `order` is the initial list of classes; `errors` are the cross-validated errors
    of all pairs if ADAG reorders the classes before each round; `weights` are the row weights of the pairs.
    """

    n_classes: int
    members: tuple[Binary, ...]
    weights: Floats
    plays: str
    order: tuple[int, ...]
    errors: Floats | None = None

    @property
    def models(self) -> list[Any]:
        """The fitted classifiers of (0, 1), (0, 2) .. (K - 2, K - 1)."""
        return [member.model for member in self.members]

    def member(self, first: int, second: int) -> Binary:
        """The classifier of a pair, first below second."""
        return self.members[first * self.n_classes - first * (first + 1) // 2 + second - first - 1]

    def classify(self, X: Any, n_rows: int) -> GameResult:
        """The class of each row, and the number of classifiers used."""

        def margins_of_pair(first: int, second: int, rows: Rows) -> Floats:
            return self.member(first, second).margins(take_rows(X, rows), len(rows))

        if self.plays == "ddag":
            return ddag(n_rows, self.order, margins_of_pair)
        if self.plays == "adag":
            return adag(n_rows, self.order, margins_of_pair, self._pairing())
        return max_wins(n_rows, self.n_classes, margins_of_pair)

    def coupled_probabilities(self, X: Any, n_rows: int) -> Floats:
        """The class probabilities from all pairs, (rows, classes)."""
        if self.n_classes == 1:
            return np.ones((n_rows, 1))
        step = max(1, _MAX_CELLS // self.n_classes**2)
        blocks = [np.arange(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]
        parts = [
            couple_probabilities(self._pair_probabilities(take_rows(X, rows), len(rows)), self.weights)
            for rows in blocks
        ]
        return np.concatenate(parts)

    def _pair_probabilities(self, X: Any, n_rows: int) -> Floats:
        probabilities = np.full((n_rows, self.n_classes, self.n_classes), 0.5)
        for first, second in itertools.combinations(range(self.n_classes), 2):
            probabilities[:, second, first] = self.member(first, second).probabilities(X, n_rows)
            probabilities[:, first, second] = 1.0 - probabilities[:, second, first]
        return probabilities

    def game_probabilities(self, X: Any, n_rows: int) -> Floats:
        """The class probabilities from the games of each row, (rows, classes)."""

        def margins_of_pair(first: int, second: int, rows: Rows) -> Floats:
            return self.member(first, second).probabilities(take_rows(X, rows), len(rows)) - 0.5

        return knock_out_probabilities(n_rows, self.order, margins_of_pair, self._pairing())

    def _pairing(self) -> Any:
        return None if self.errors is None else cache(partial(least_error_order, errors=self.errors))


def fit_pairs(problem: Problem, plays: str, order: tuple[int, ...] | None = None, folds: Rows | None = None) -> Pairs:
    """One classifier per pair; with `folds` also the cross-validated error of each pair."""
    n_classes = problem.n_classes
    pairs = list(itertools.combinations(range(n_classes), 2))
    jobs = [partial(_fit_pair, problem, pair, number) for number, pair in enumerate(pairs)]
    members = tuple(run_in_order(jobs, problem.threads))
    totals = np.bincount(problem.codes, problem.row_weights, n_classes).astype(np.float64)
    errors = None if folds is None else _errors(problem, pairs, folds)
    first_order = tuple(range(n_classes)) if order is None else order
    return Pairs(n_classes, members, totals[:, None] + totals[None, :], plays, first_order, errors)


def _fit_pair(problem: Problem, pair: tuple[int, int], number: int) -> Binary:
    rows = problem.rows_of(pair)
    return fit_binary(problem, rows, problem.codes[rows] == pair[1], number)


def _errors(problem: Problem, pairs: list[tuple[int, int]], folds: Rows) -> Floats:
    jobs = []
    for number, pair in enumerate(pairs):
        rows = problem.rows_of(pair)
        jobs.append(partial(cross_validated_error, problem, rows, problem.codes[rows] == pair[1], folds, number))
    errors = np.zeros((problem.n_classes, problem.n_classes))
    for (first, second), error in zip(pairs, run_in_order(jobs, problem.threads), strict=True):
        errors[first, second] = errors[second, first] = error
    return errors
