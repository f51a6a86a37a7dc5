"""The hyperplane of OC1 (definition 8.5): a plane a x + c (right if >= 0) is changed one coefficient at a time.

With one coefficient a_m varied, each row changes sides at U = (a_m x_m - V) / x_m, V = a x + c: it is on the right if
a_m > U where x_m > 0, and if a_m < U where x_m < 0. With all U sorted, every gap is one plane: the middle of the best
gap is used (U_min - 1 and U_max + 1 at the ends).

    best first    the coefficient (the constant is one of them) of largest gain; equal moves up to 10 in a row
    when stuck    up to 5 random directions r, and the best step along each by the same sweep
    restarts      from the best question about one column, then from 20 random planes

Random numbers: uniform in [-1, 1], purpose 6, keyed by the node. The frame finds the final cuts of the directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Floats, Integers
from hornbeam.parts.searches.householder_planes import canonical_direction
from hornbeam.parts.searches.machinery.candidates import two_branches
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, Marks, PlaneSearch
from hornbeam.parts.searches.machinery.points import Points, weighted_sum
from hornbeam.seeds import Purpose, Stream
from hornbeam.tree.questions import Threshold

_MAX_MOVES = 1000


@dataclass(frozen=True)
class Oc1Plane(PlaneSearch):
    """The hyperplane of OC1: one coefficient changed at a time, random jumps, restarts."""

    name: ClassVar[str] = "oc1_plane"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    restarts: int = option(20, "number of random starting planes, in addition to the best single column", at_least=0)
    jumps: int = option(5, "number of random directions that are tried if no coefficient helps", at_least=0)
    stagnant: int = option(10, "maximum number of moves in a row with an equal score", at_least=0)

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterator[Fit]:
        """One fit per start."""
        wide = np.column_stack([points.x, np.ones(len(points.x))])
        node = frame.node
        stream = Stream.of(node.sample.seed, Purpose.OBLIQUE, node.sample.tree, node.id)
        each = node.table(np.arange(node.n_rows), node.n_rows)
        climb = Climb(frame, wide, each, self.jumps, self.stagnant)
        start = _axis(points, best_single)
        if start is not None:
            yield canonical_direction(climb.run(start, stream)[:-1])
        for _ in range(self.restarts):
            yield canonical_direction(climb.run(_random_plane(stream, wide.shape[1]), stream)[:-1])


def _axis(points: Points, best_single: Candidate | None) -> Floats | None:
    """The best question about one column as a plane among the points."""
    if (
        best_single is None
        or not isinstance(best_single.question, Threshold)
        or best_single.question.column not in points.columns
    ):
        return None
    index = points.columns.index(best_single.question.column)
    plane = np.zeros(len(points.columns) + 1)
    plane[index] = 1.0
    plane[-1] = -(best_single.question.cut - points.mean[index]) / points.sd[index]
    return plane


def _random_plane(stream: Stream, length: int) -> Floats:
    return np.array([2.0 * stream.uniform() - 1.0 for _ in range(length)])


@dataclass(frozen=True, eq=False)
class Climb:
    """The moves of one plane among the points (n, d + 1) of a node; `each` has the statistics of every row."""

    frame: Frame
    wide: Floats
    each: Floats
    jumps: int
    stagnant: int

    def run(self, plane: Floats, stream: Stream) -> Floats:
        """The plane that no move improves."""
        score = self._score(plane)
        equal = 0
        for _ in range(_MAX_MOVES):
            moved, found = self._changed(plane)
            if self.frame.beats(found, score):
                plane, score, equal = moved, found, 0
            elif found > -np.inf and not self.frame.beats(score, found) and equal < self.stagnant:
                plane, score, equal = moved, found, equal + 1
            else:
                jumped, found = self._after_jump(plane, score, stream)
                if not self.frame.beats(found, score):
                    break
                plane, score, equal = jumped, found, 0
        return plane

    def _score(self, plane: Floats) -> float:
        right = weighted_sum(self.wide, plane) >= 0
        weight = self.frame.node.weights[right].sum()
        right_stats, rows = self.each[right].sum(axis=0), np.count_nonzero(right)
        return float(self._allowed_scores(right_stats[None, :], np.array([rows]), np.array([weight]))[0])

    def _changed(self, plane: Floats) -> tuple[Floats, float]:
        """The plane with its best coefficient changed, and its score."""
        values = weighted_sum(self.wide, plane)
        best, top = plane, -np.inf
        for index in range(len(plane)):
            value, score = self._best_step(values - plane[index] * self.wide[:, index], self.wide[:, index])
            if self.frame.beats(score, top) or (top == -np.inf and score > top):
                best, top = plane.copy(), score
                best[index] = value
        return best, top

    def _after_jump(self, plane: Floats, score: float, stream: Stream) -> tuple[Floats, float]:
        values = weighted_sum(self.wide, plane)
        for _ in range(self.jumps):
            along = _random_plane(stream, len(plane))
            step, found = self._best_step(values, weighted_sum(self.wide, along))
            if self.frame.beats(found, score):
                return plane + step * along, found
        return plane, -np.inf

    def _best_step(self, rest: Floats, slope: Floats) -> tuple[float, float]:
        """The best t for the sides of rest + t slope >= 0, and its score."""
        moving = np.flatnonzero(slope != 0)
        if len(moving) == 0:
            return 0.0, -np.inf
        turns = -rest[moving] / slope[moving]
        order = np.argsort(turns, kind="stable")
        ascending = turns[order]
        ends = np.flatnonzero(np.append(np.diff(ascending) > 0, True))
        values = np.concatenate(
            [[ascending[0] - 1.0], (ascending[ends[:-1]] + ascending[ends[:-1] + 1]) / 2, [ascending[-1] + 1.0]]
        )
        # Left of all turns the rows of negative slope are on the right side; each turn changes one row.
        right = np.where(slope != 0, slope < 0, rest >= 0)
        scores = self._scores_after(right, moving[order], slope[moving[order]] > 0, ends)
        best = first_best_of(scores, self.frame.tolerance)
        return (0.0, -np.inf) if best < 0 else (float(values[best]), float(scores[best]))

    def _scores_after(self, right: Marks, turning: Integers, joins: Marks, ends: Integers) -> Floats:
        """The scores before any turn and after the last turn of every gap."""
        weights = self.frame.node.weights
        sign = np.where(joins, 1.0, -1.0)
        stats = np.cumsum(self.each[turning] * sign[:, None], axis=0)[ends]
        right_stats = self.each[right].sum(axis=0) + np.concatenate([np.zeros((1, stats.shape[1])), stats])
        rows = np.count_nonzero(right) + np.concatenate([[0.0], np.cumsum(sign)[ends]])
        weight = weights[right].sum() + np.concatenate([[0.0], np.cumsum(weights[turning] * sign)[ends]])
        return self._allowed_scores(right_stats, rows, weight)

    def _allowed_scores(self, right_stats: Floats, rows: Integers | Floats, weight: Floats) -> Floats:
        """The scores of planes by their right sides; minus infinity where the limits forbid one."""
        node, limits = self.frame.node, self.frame.limits
        fits = limits.allows(rows, weight) & limits.allows(node.n_rows - rows, node.weight - weight)
        fits &= (rows > 0) & (rows < node.n_rows)
        scores = np.full(len(rows), -np.inf)
        if fits.any():
            sides = two_branches(node.stats, right_stats[fits])
            scores[fits] = self.frame.criterion.score(node.stats, sides, 0.0, node.targets)
        return scores


def first_best_of(scores: Floats, tolerance: float) -> int:
    """The first score that no later one beats; -1 if all are minus infinity."""
    best, top = -1, -np.inf
    for index, score in enumerate(scores.tolist()):
        if score > -np.inf and (best < 0 or score - top > tolerance):
            best, top = index, score
    return best
