"""Rounds on a Dask cluster: every task is a pure function of the bins of one piece and a request.

The workers code the pieces once and keep the bins on their own disks (`worker_bins.py`); only requests and sums travel.
If a worker is lost, Dask codes its pieces again on another one and runs its tasks again. Sums are integers, so the
model does not depend on the workers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import ClusterError
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.scale.binned import Floats
from hornbeam.scale.boost_states import StateStore
from hornbeam.scale.cluster_source import ClusterSource
from hornbeam.scale.cluster_waits import is_connected, results_of, wait_for
from hornbeam.scale.first_pass import Roles
from hornbeam.scale.fold_scoring import FoldScoring, merged_sums
from hornbeam.scale.plan import TablePlan
from hornbeam.scale.rounds import GatheredRows, PieceTask, Request, Sums, joined, piece_rows, piece_sums
from hornbeam.scale.target_facts import TargetFacts, WeightFacts, WeightRule, target_facts, weight_facts
from hornbeam.scale.worker_bins import Coding, Place, WorkerBins, code_piece, remove_bins

_CLOSE_SECONDS = 30


@dataclasses.dataclass(frozen=True)
class RemotePiece:
    """What the driver knows of the bins of a piece."""

    n_rows: int
    first_row: int
    has_weights: bool

    @property
    def weights(self) -> Floats | None:
        """None if every weight is 1; the weights themselves are on the workers."""
        return np.zeros(0) if self.has_weights else None


class DaskRounds:
    """Rounds over the bins of pieces on the workers of a client."""

    def __init__(
        self, source: ClusterSource, roles: Roles, plan: TablePlan, counts: Sequence[int], batch_rows: int
    ) -> None:
        self.client = source.client
        self.key = uuid.uuid4().hex
        used = source.only([number for number, n_rows in enumerate(counts) if n_rows])
        sizes = [n_rows for n_rows in counts if n_rows]
        starts = itertools.accumulate(sizes, initial=0)
        places = tuple(Place(n_rows, start) for n_rows, start in zip(sizes, starts))
        self.labels = used.labels
        self.source_rows = [piece.n_rows for piece in used.pieces]
        self.pieces = [RemotePiece(place.n_rows, place.first_row, plan.has_weights) for place in places]
        self.bins = used.submit(code_piece, Coding(roles, plan, batch_rows, self.key), places)
        self._shared: tuple[Any, Any] | None = None  # a value and its future

    def coded(self) -> Iterator[int]:
        """The numbers of rows of the pieces, as their bins are complete."""
        for place in wait_for(self.client, self.bins, self.labels):
            yield self.source_rows[place]

    def target_facts(self, n_classes: int, middle: float) -> TargetFacts:
        """What units of the target depend on."""
        return TargetFacts.merged(found for _, found in self._each(_target_of, (n_classes, middle)))

    def weight_facts(self, rule: WeightRule, n_classes: int) -> WeightFacts:
        """What units of the weights depend on."""
        return WeightFacts.merged(found for _, found in self._each(_weights_of, (rule, n_classes)))

    def statistics(self, requests: Sequence[Request]) -> list[Sums]:
        """The sums for requests of different trees."""
        totals: list[Sums] = []
        for _, parts in self._each(_sums_of, list(requests)):
            if not totals:
                totals = [_writable(part) for part in parts]
                continue
            for total, part in zip(totals, parts, strict=True):
                total.add(part)
        return totals

    def collect(self, request: Request) -> GatheredRows:
        """The rows of the nodes with a slot."""
        found = dict(self._each(_rows_of, request))
        return joined([found[place] for place in sorted(found)])

    def held_out_sums(self, scoring: FoldScoring) -> list[NodeSums]:
        """What the rows of every fold add up to at the nodes of the tree grown without them."""
        return merged_sums(found for _, found in self._each(_held_out_of, scoring))

    def forget(self, tree: int) -> None:
        """Nothing is remembered between rounds."""

    def each(self, task: PieceTask, shared: Any = None) -> Iterator[Any]:
        """The results of a task for all pieces; a shared value that was passed before does not travel again."""
        if self._shared is None or self._shared[0] is not shared:
            self._shared = shared, self.client.submit(_same, shared, pure=False)
        return (found for _, found in self._each(_result_of, task, self._shared[1]))

    def drop_states(self, growth: str) -> None:
        """Drop the states of a growth on the workers; a lost worker or cluster has none."""
        self._shared = None
        with contextlib.suppress(Exception):
            self.client.run(_drop_states, growth, on_error="ignore")

    def close(self) -> None:
        """Cancel what is running and remove the bins of the workers; a lost worker or cluster has none."""
        if not is_connected(self.client):
            return
        with contextlib.suppress(Exception):
            self.client.cancel(self.bins)
        # A worker that does not answer must not keep the caller waiting.
        removal = threading.Thread(target=self._remove, daemon=True)
        removal.start()
        removal.join(_CLOSE_SECONDS)

    def _remove(self) -> None:
        with contextlib.suppress(Exception):
            self.client.run(remove_bins, self.key, on_error="ignore")

    def _each(self, task: Callable[..., Any], argument: Any, *others: Any) -> Iterator[tuple[int, Any]]:
        """The results of a task for all pieces, with the number of the piece, in the order in which they arrive.

        `others` are futures, or small values, that follow the argument.
        """
        try:
            shared = self.client.submit(_same, argument, pure=False)
            holders = self.client.who_has(self.bins)
            given = (shared, *others)
            futures = [self._submit(task, bins, given, holders.get(bins.key)) for bins in self.bins]
        except (OSError, RuntimeError) as error:
            raise ClusterError(
                f"The connection to the scheduler of the cluster is lost: {error}.",
                hint="Start again, with resume= to continue from a checkpoint.",
            ) from None
        return results_of(self.client, futures, self.labels)

    def _submit(self, task: Callable[..., Any], bins: Any, given: Sequence[Any], holders: Sequence[str] | None) -> Any:
        """The future of a task, where its bins are if a worker has them."""
        place = {"workers": list(holders), "allow_other_workers": True} if holders else {}
        return self.client.submit(task, bins, *given, pure=False, **place)


def _writable(sums: Sums) -> Sums:
    return Sums(sums.cells.copy(), sums.totals.copy(), sums.low.copy(), sums.high.copy())


# The tasks.


def _same(value: Any) -> Any:
    return value


def _sums_of(bins: WorkerBins, requests: Sequence[Request]) -> list[Sums]:
    return [piece_sums(request, bins) for request in requests]


def _rows_of(bins: WorkerBins, request: Request) -> GatheredRows:
    return piece_rows(request, bins)


def _target_of(bins: WorkerBins, arguments: tuple[int, float]) -> TargetFacts:
    return target_facts(bins, *arguments)


def _weights_of(bins: WorkerBins, arguments: tuple[WeightRule, int]) -> WeightFacts:
    return weight_facts(bins, *arguments)


def _held_out_of(bins: WorkerBins, scoring: FoldScoring) -> list[NodeSums]:
    return scoring.sums_of(bins)


# What boosting keeps of the pieces of this worker.
_states = StateStore()


def _result_of(bins: WorkerBins, task: PieceTask, shared: Any) -> Any:
    return task(bins, shared, _states)


def _drop_states(growth: str) -> None:
    _states.drop(growth)
