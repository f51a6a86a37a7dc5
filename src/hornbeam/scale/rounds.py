"""Rounds over the pieces of a binned table: sums and rows for the requests of a grower.

A request is a dictionary of arrays and numbers, so that it can travel to another process. `piece_sums` and `piece_rows`
are pure functions of a request and a piece; the nodes that rows were at before only make them faster. Sums are integers
and are added in any order, so a tree does not depend on the pieces or on who adds them up.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.scale.binned import BinnedPiece, Floats
from hornbeam.scale.target_facts import TargetFacts, WeightFacts, WeightRule, target_facts, weight_facts

Request = dict[str, Any]
Nodes = npt.NDArray[np.int32]


@dataclasses.dataclass(frozen=True, eq=False)
class Sums:
    """The answer to a request: integers that add up, and the range of numbers in each node."""

    cells: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    low: Floats
    high: Floats

    def add(self, other: Sums) -> None:
        """Add the sums of other rows."""
        np.add(self.cells, other.cells, out=self.cells)
        np.add(self.totals, other.totals, out=self.totals)
        np.minimum(self.low, other.low, out=self.low)
        np.maximum(self.high, other.high, out=self.high)

    def as_dict(self) -> dict[str, Any]:
        """The arrays by name."""
        return {"cells": self.cells, "totals": self.totals, "low": self.low, "high": self.high}


@dataclasses.dataclass(frozen=True, eq=False)
class GatheredRows:
    """The rows of some nodes: the codes of all columns, targets, weights and nodes."""

    codes: list[npt.NDArray[Any]]
    target: npt.NDArray[Any]
    weights: Floats | None
    nodes: Nodes


class Rounds(Protocol):
    """Whatever runs the functions of this module over all pieces."""

    def target_facts(self, n_classes: int, middle: float) -> TargetFacts:
        """What units of the target depend on, of all pieces."""

    def weight_facts(self, rule: WeightRule, n_classes: int) -> WeightFacts:
        """What units of the weights depend on, of all pieces."""

    def statistics(self, request: Request) -> Sums:
        """The sums for a request, of all pieces."""

    def collect(self, request: Request) -> GatheredRows:
        """The rows of the nodes with a slot, of all pieces."""


def piece_sums(request: Request, piece: BinnedPiece, nodes: Nodes | None = None) -> Sums:
    """The sums of the rows of a piece; `nodes` is the node of every row so far, and is updated."""
    if nodes is None:
        nodes = np.zeros(piece.n_rows, dtype=np.int32)
    wanted = {*request["columns"].tolist(), *request["question_column"].tolist()}
    found = _native.add_piece(
        request, _codes(piece, wanted, len(request["n_codes"])), piece.target, piece.weights, nodes
    )
    # Arrays of a few numbers are read-only.
    return Sums(*(np.require(found[name], requirements="W") for name in ("cells", "totals", "low", "high")))


def piece_rows(request: Request, piece: BinnedPiece, nodes: Nodes | None = None) -> GatheredRows:
    """The rows of a piece whose nodes have a slot; `nodes` as in `piece_sums`."""
    if nodes is None:
        nodes = np.zeros(piece.n_rows, dtype=np.int32)
    n_columns = len(request["n_codes"])
    routed = {**request, "columns": np.zeros(0, dtype=np.int32)}
    _native.route_piece(routed, _codes(piece, set(request["question_column"].tolist()), n_columns), nodes)
    rows = np.flatnonzero(request["slot"][nodes] >= 0)
    return GatheredRows(
        [np.ascontiguousarray(piece.codes(column)[rows]) for column in range(n_columns)],
        np.ascontiguousarray(piece.target[rows]),
        None if piece.weights is None else np.ascontiguousarray(piece.weights[rows]),
        nodes[rows],
    )


def _codes(piece: BinnedPiece, wanted: set[int], n_columns: int) -> list[npt.NDArray[Any] | None]:
    return [np.ascontiguousarray(piece.codes(c)) if c in wanted else None for c in range(n_columns)]


def joined(parts: Sequence[GatheredRows]) -> GatheredRows:
    """Rows of several pieces as one."""
    weights = [part.weights for part in parts]
    return GatheredRows(
        [np.concatenate(codes) for codes in zip(*(part.codes for part in parts), strict=True)],
        np.concatenate([part.target for part in parts]),
        None
        if any(each is None for each in weights)
        else np.concatenate([each for each in weights if each is not None]),
        np.concatenate([part.nodes for part in parts]),
    )


class LocalRounds:
    """Rounds over pieces in this process, on one or more threads.

    `remembers` keeps the node of every row between rounds (4 bytes per row), so that rows are routed one level per
    round.
    """

    def __init__(self, pieces: Sequence[BinnedPiece], *, threads: int = 1, remembers: bool = True) -> None:
        self.pieces = pieces
        self.threads = max(1, min(threads, len(pieces)))
        self._nodes: list[Nodes] | None = (
            [np.zeros(piece.n_rows, dtype=np.int32) for piece in pieces] if remembers else None
        )

    def target_facts(self, n_classes: int, middle: float) -> TargetFacts:
        """What units of the target depend on."""
        found = self._each(lambda piece, _: target_facts(piece, n_classes, middle))
        return TargetFacts.merged(found)

    def weight_facts(self, rule: WeightRule, n_classes: int) -> WeightFacts:
        """What units of the weights depend on."""
        return WeightFacts.merged(self._each(lambda piece, _: weight_facts(piece, rule, n_classes)))

    def statistics(self, request: Request) -> Sums:
        """The sums for a request."""
        answers = iter(self._each(lambda piece, nodes: piece_sums(request, piece, nodes)))
        total: Sums = next(answers)
        for answer in answers:
            total.add(answer)
        return total

    def collect(self, request: Request) -> GatheredRows:
        """The rows of the nodes with a slot, in the order of the pieces."""
        found = sorted(
            self._each(lambda piece, nodes: (piece.first_row, piece_rows(request, piece, nodes))),
            key=lambda item: item[0],
        )
        return joined([rows for _, rows in found])

    def _each(self, work: Callable[[BinnedPiece, Nodes | None], Any]) -> Iterable[Any]:
        """The results of all pieces, in any order; no more of them at once than threads."""
        nodes: Sequence[Nodes | None] = self._nodes if self._nodes is not None else [None] * len(self.pieces)
        if self.threads == 1:
            return (work(piece, known) for piece, known in zip(self.pieces, nodes, strict=True))
        tasks = [functools.partial(work, piece, known) for piece, known in zip(self.pieces, nodes, strict=True)]
        return self._on_threads(tasks)

    def _on_threads(self, tasks: list[Callable[[], Any]]) -> Iterator[Any]:
        with ThreadPoolExecutor(self.threads) as pool:
            waiting = list(reversed(tasks))
            running: set[Future[Any]] = set()
            try:
                while waiting or running:
                    while waiting and len(running) < self.threads:
                        running.add(pool.submit(waiting.pop()))
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for each in done:
                        yield each.result()
            finally:
                for each in running:
                    each.cancel()
