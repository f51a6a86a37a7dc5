"""Rounds over the pieces of a binned table: sums and rows for the requests of a grower.

A request is a dictionary of arrays and numbers, so that it can travel to another process. `pieces_sums` and
`piece_rows` are pure functions of requests and pieces; the nodes that rows were at before only make them faster. Sums
are integers and are added in any order, so a tree does not depend on the pieces or on who adds them up.
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
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.scale.binned import BinnedPiece, Floats
from hornbeam.scale.boost_states import StateStore
from hornbeam.scale.fold_scoring import FoldScoring, merged_sums
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

    def writable(self) -> Sums:
        """The same sums; arrays of a few numbers, or that come from another process, are copied."""
        found = {name: np.require(value, requirements="W") for name, value in self.as_dict().items()}
        return Sums(**found)

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels: integers of as many bytes as nearly all of them need."""
        return _received, (*_narrow(self.cells), self.totals, self.low, self.high)

    def as_dict(self) -> dict[str, Any]:
        """The arrays by name."""
        return {"cells": self.cells, "totals": self.totals, "low": self.low, "high": self.high}


def _narrow(cells: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Sums in as few bytes as nearly all of them need, and the positions and values of those that need more."""
    for narrow in (np.uint8, np.uint16, np.int32):
        found = cells.astype(narrow)
        apart = np.flatnonzero(found != cells)
        if len(apart) * 32 <= len(cells):
            return found, apart, cells[apart]
    return cells, apart[:0], cells[:0]


def _received(
    cells: npt.NDArray[Any],
    apart: npt.NDArray[np.intp],
    values: npt.NDArray[np.int64],
    totals: npt.NDArray[np.int64],
    low: Floats,
    high: Floats,
) -> Sums:
    found = cells.astype(np.int64)
    found[apart] = values
    return Sums(found, totals, low, high)


@dataclasses.dataclass(frozen=True, eq=False)
class GatheredRows:
    """The rows of some nodes: the codes of all columns, targets, weights, nodes and numbers in the whole table."""

    codes: list[npt.NDArray[Any]]
    target: npt.NDArray[Any]
    weights: Floats | None
    nodes: Nodes
    row_numbers: npt.NDArray[np.int64]

    def as_dict(self) -> dict[str, Any]:
        """The arrays by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


# The results of several pieces as one; results that are merged may be merged again.
Merge = Callable[[Iterable[Any]], Any]


class PieceTask(Protocol):
    """A pure function of a piece and a shared value; states only save time."""

    def __call__(self, piece: BinnedPiece, shared: Any, states: StateStore, /) -> Any:
        """The result for one piece."""


class Rounds(Protocol):
    """Whatever runs the functions of this module over all pieces."""

    def target_facts(self, n_classes: int, middle: float) -> TargetFacts:
        """What units of the target depend on, of all pieces."""

    def weight_facts(self, rule: WeightRule, n_classes: int) -> WeightFacts:
        """What units of the weights depend on, of all pieces."""

    def statistics(self, requests: Sequence[Request]) -> list[Sums]:
        """The sums for requests of different trees, of all pieces."""

    def collect(self, request: Request) -> GatheredRows:
        """The rows of the nodes with a slot, of all pieces."""

    def held_out_sums(self, scoring: FoldScoring) -> list[NodeSums]:
        """What the rows of every fold add up to at the nodes of the tree grown without them."""

    def forget(self, tree: int) -> None:
        """Drop what is remembered of a tree that is complete."""

    def each(self, task: PieceTask, merged: Merge, shared: Any = None) -> Any:
        """The merged results of a task for all pieces, in any order; `shared` is passed to each of them."""

    def drop_states(self, growth: str) -> None:
        """Drop the states that the tasks of a growth left behind."""


def pieces_sums(
    requests: Sequence[Request], pieces: Iterable[tuple[BinnedPiece, Sequence[Nodes | None]]]
) -> list[Sums]:
    """The sums of the rows of some pieces, by request.

    A piece comes with the node of every row so far, by request, which is updated; None if it is not known.
    """
    adders = [_native.PieceAdder(core_request(request)) for request in requests]
    for piece, known in pieces:
        for adder, request, nodes in zip(adders, requests, known, strict=True):
            wanted = {*request["columns"].tolist(), *request["question_column"].tolist()}
            at = np.zeros(piece.n_rows, dtype=np.int32) if nodes is None else nodes
            adder.add({**_arrays(piece, request, wanted, at), "first_row": piece.first_row})
    return [Sums(**adder.sums()) for adder in adders]


def added(parts: Iterable[list[Sums]]) -> list[Sums]:
    """The sums of several pieces, by request."""
    totals: list[Sums] = []
    for sums in parts:
        if not totals:
            totals = [each.writable() for each in sums]
            continue
        for total, part in zip(totals, sums, strict=True):
            total.add(part)
    return totals


def piece_rows(request: Request, piece: BinnedPiece, nodes: Nodes | None = None) -> GatheredRows:
    """The rows of a piece whose nodes have a slot; `nodes` is the node of every row so far, and is updated."""
    if nodes is None:
        nodes = np.zeros(piece.n_rows, dtype=np.int32)
    n_columns = len(request["n_codes"])
    routed = {**core_request(request), "columns": np.zeros(0, dtype=np.int32)}
    _native.route_piece(routed, _arrays(piece, request, set(request["question_column"].tolist()), nodes))
    rows = np.flatnonzero(request["slot"][nodes] >= 0)
    return GatheredRows(
        [_recoded(request, column, piece.codes(column)[rows]) for column in range(n_columns)],
        np.ascontiguousarray(piece.target[rows]),
        None if piece.weights is None else np.ascontiguousarray(piece.weights[rows]),
        nodes[rows],
        rows + piece.first_row,
    )


def core_request(request: Request) -> Request:
    """The entries of a request that the core reads: codes are replaced before."""
    return {name: value for name, value in request.items() if name != "recoded"}


def _recoded(request: Request, column: int, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The codes of a column as the tree counts them."""
    table = request.get("recoded", {}).get(column)
    return np.ascontiguousarray(codes if table is None else table[codes])


def _arrays(piece: BinnedPiece, request: Request, wanted: set[int], nodes: Nodes) -> dict[str, Any]:
    """The rows of a piece by name, with the codes of some columns."""
    n_columns = len(request["n_codes"])
    codes = [_recoded(request, c, piece.codes(c)) if c in wanted else None for c in range(n_columns)]
    return {"codes": codes, "target": piece.target, "weights": piece.weights, "nodes": nodes}


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
        np.concatenate([part.row_numbers for part in parts]),
    )


class LocalRounds:
    """Rounds over pieces in this process, on one or more threads.

    `remembers` keeps the node of every row between rounds (4 bytes per row and tree), so that rows are routed one level
    per round.
    """

    def __init__(self, pieces: Sequence[BinnedPiece], *, threads: int = 1, remembers: bool = True) -> None:
        self.pieces = pieces
        self.threads = max(1, min(threads, len(pieces)))
        self.remembers = remembers
        self._nodes: dict[tuple[int, int], Nodes] = {}
        self.states = StateStore()

    def target_facts(self, n_classes: int, middle: float) -> TargetFacts:
        """What units of the target depend on."""
        return TargetFacts.merged(self._each(lambda place: target_facts(self.pieces[place], n_classes, middle)))

    def weight_facts(self, rule: WeightRule, n_classes: int) -> WeightFacts:
        """What units of the weights depend on."""
        return WeightFacts.merged(self._each(lambda place: weight_facts(self.pieces[place], rule, n_classes)))

    def statistics(self, requests: Sequence[Request]) -> list[Sums]:
        """The sums for requests of different trees."""

        def sums_of(thread: int) -> list[Sums]:
            places = range(thread, len(self.pieces), self.threads)
            return pieces_sums(
                requests, ((self.pieces[at], [self._known(each, at) for each in requests]) for at in places)
            )

        return added(self._each(sums_of, self.threads))

    def collect(self, request: Request) -> GatheredRows:
        """The rows of the nodes with a slot."""
        found = self._each(lambda place: piece_rows(request, self.pieces[place], self._known(request, place)))
        return joined(list(found))

    def held_out_sums(self, scoring: FoldScoring) -> list[NodeSums]:
        """What the rows of every fold add up to at the nodes of the tree grown without them."""
        return merged_sums(self._each(lambda place: scoring.sums_of(self.pieces[place])))

    def forget(self, tree: int) -> None:
        """Drop what is remembered of a tree."""
        self._nodes = {at: nodes for at, nodes in self._nodes.items() if at[1] != tree}

    def each(self, task: PieceTask, merged: Merge, shared: Any = None) -> Any:
        """The merged results of a task for all pieces."""
        return merged(self._each(lambda place: task(self.pieces[place], shared, self.states)))

    def drop_states(self, growth: str) -> None:
        """Drop the states of a growth."""
        self.states.drop(growth)

    def _known(self, request: Request, place: int) -> Nodes | None:
        if not self.remembers:
            return None
        new = np.zeros(0, dtype=np.int32)
        known = self._nodes.setdefault((place, int(request["tree"])), new)
        if known is new:
            known = self._nodes[place, int(request["tree"])] = np.zeros(self.pieces[place].n_rows, dtype=np.int32)
        return known

    def _each(self, work: Callable[[int], Any], count: int | None = None) -> Iterable[Any]:
        """The results of a function of a number, by default of every piece, in any order; one at a time per thread."""
        numbers = range(len(self.pieces) if count is None else count)
        if self.threads == 1:
            return map(work, numbers)
        return self._on_threads([functools.partial(work, number) for number in numbers])

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
