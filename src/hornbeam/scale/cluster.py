"""Rounds on a Dask cluster: every task is a pure function of the bins of some pieces and a request.

The workers code the pieces once and keep the bins on their own disks (`worker_bins.py`); only requests and sums travel.
A round is one task per thread of the workers, and one that adds up the sums of a worker (`piece_groups.py`).
If a worker is lost, Dask codes its pieces again on another one and runs its tasks again. Sums are integers, so the
model does not depend on the workers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import threading
import uuid
from asyncio import CancelledError
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError as FuturesCancelled
from typing import Any

import numpy as np

from hornbeam.errors import ClusterError
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.scale.binned import Floats
from hornbeam.scale.boost_states import StateStore
from hornbeam.scale.cluster_arguments import as_result, with_tasks
from hornbeam.scale.cluster_source import ClusterSource
from hornbeam.scale.cluster_waits import Work, is_connected, results_of, wait_for
from hornbeam.scale.first_pass import Roles
from hornbeam.scale.fold_scoring import FoldScoring, merged_sums
from hornbeam.scale.node_store import GrowingTree, Nodes, NodeStore
from hornbeam.scale.piece_groups import Group, by_worker, groups_of, near
from hornbeam.scale.plan import TablePlan
from hornbeam.scale.rounds import (
    GatheredRows,
    Merge,
    PieceTask,
    Request,
    Sums,
    added,
    joined,
    piece_rows,
    pieces_sums,
)
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
        self._groups: list[Group] = []  # of the next round; empty if they are not known
        self._answered: list[Any] = []  # the futures of the last round
        self._turns: Counter[int] = Counter()  # of the numbers of trees

    def coded(self) -> Iterator[int]:
        """The numbers of rows of the pieces, as their bins are complete."""
        for place in wait_for(self.client, Work(self.bins, self.labels)):
            yield self.source_rows[place]

    def target_facts(self, n_classes: int, middle: float) -> TargetFacts:
        """What units of the target depend on."""
        merged: TargetFacts = self._merged(_target_of, TargetFacts.merged, (n_classes, middle))
        return merged

    def weight_facts(self, rule: WeightRule, n_classes: int) -> WeightFacts:
        """What units of the weights depend on."""
        merged: WeightFacts = self._merged(_weights_of, WeightFacts.merged, (rule, n_classes))
        return merged

    def statistics(self, requests: Sequence[Request]) -> list[Sums]:
        """The sums for requests of different trees."""
        found: list[Sums] = self._merged(_sums_of, added, [(request, self._tree(request)) for request in requests])
        return found

    def collect(self, request: Request) -> GatheredRows:
        """The rows of the nodes with a slot."""
        of_tree = request, self._tree(request)
        return joined([rows for _, rows in sorted(self._merged(_rows_of, _all_rows, of_tree), key=_first_row)])

    def held_out_sums(self, scoring: FoldScoring) -> list[NodeSums]:
        """What the rows of every fold add up to at the nodes of the tree grown without them."""
        found: list[NodeSums] = self._merged(_held_out_of, merged_sums, scoring)
        return found

    def forget(self, tree: int) -> None:
        """What workers remember of a tree is not used for the next one of this number."""
        self._turns[tree] += 1

    def each(self, task: PieceTask, merged: Merge, shared: Any = None) -> Any:
        """The merged results of a task for all pieces; a shared value that was passed before does not travel again."""
        if self._shared is None or self._shared[0] is not shared:
            self._shared = shared, as_result(self.client, shared)
        return self._merged(_result_of, merged, (task, merged), self._shared[1])

    def drop_states(self, growth: str) -> None:
        """Drop the states of a growth on the workers; a lost worker or cluster has none."""
        self._shared = None
        with contextlib.suppress(Exception):
            self.client.run(_drop_states, growth, on_error="ignore")

    def close(self) -> None:
        """Cancel what is running and remove the bins of the workers; a lost worker or cluster has none."""
        if not is_connected(self.client):
            return
        self._answered = []
        with contextlib.suppress(Exception):
            self.client.cancel(self.bins)
        # A worker that does not answer must not keep the caller waiting.
        removal = threading.Thread(target=self._remove, daemon=True)
        removal.start()
        removal.join(_CLOSE_SECONDS)

    def _remove(self) -> None:
        with contextlib.suppress(Exception):
            self.client.run(_end, self.key, on_error="ignore")

    def _merged(self, task: Callable[..., Any], merged: Merge, argument: Any, *others: Any) -> Any:
        """The merged results of a task for groups of pieces, all pieces together: those of a worker are merged there.

        `others` are futures, or small values, that follow the argument.
        """
        with _connection():
            together = by_worker(self._groups or self._located())
            given = (with_tasks(self.client, argument, sum(map(len, together))), *others)
            futures = [self._submitted(task, merged, of_worker, given) for of_worker in together]
            # The results of the last round are dropped only now: a client that has just sent a message delays others.
            self._answered = futures
            # While the workers are busy.
            self._groups = self._located()
        labels = [self.labels[of_worker[0].places[0]] for of_worker in together]

        def apart(number: int) -> Iterator[tuple[Any, str]]:
            for place in (place for group in together[number] for place in group.places):
                yield self._submitted(task, merged, [Group((place,))], given), self.labels[place]

        return merged(found for _, found in results_of(self.client, Work(futures, labels), apart))

    def _tree(self, request: Request) -> GrowingTree:
        number = int(request["tree"])
        return GrowingTree(self.key, number, self._turns[number])

    def _located(self) -> list[Group]:
        """The groups of pieces, where the scheduler knows them to be.

        If a worker is lost afterwards, Dask runs its tasks elsewhere, so the groups may be used later.
        """
        holders, threads = self.client.who_has(self.bins), self.client.nthreads()
        by_place = [holders.get(bins.key, ()) for bins in self.bins]
        return groups_of(by_place, [piece.n_rows for piece in self.pieces], threads)

    def _submitted(self, task: Callable[..., Any], merged: Merge, groups: Sequence[Group], given: Sequence[Any]) -> Any:
        """The future of a task for the groups of a worker, where their bins are if a worker has them."""
        near_bins = near(groups[0].worker)
        parts = [
            self.client.submit(task, [self.bins[place] for place in group.places], *given, pure=False, **near_bins)
            for group in groups
        ]
        return parts[0] if len(parts) == 1 else self.client.submit(merged, parts, pure=False, **near_bins)


@contextlib.contextmanager
def _connection() -> Iterator[None]:
    # The futures of a client that lost its scheduler are cancelled.
    try:
        yield
    except (OSError, RuntimeError, CancelledError, FuturesCancelled) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".: ")
        raise ClusterError(
            f"The connection to the scheduler of the cluster is lost: {reason}.",
            hint="Start again, with resume= to continue from a checkpoint.",
        ) from None


# The tasks: functions of the bins of some pieces. What they return may be merged.


# The nodes of the rows of this worker.
_nodes = NodeStore()


def _sums_of(group: Sequence[WorkerBins], requests: Sequence[tuple[Request, GrowingTree]]) -> list[Sums]:
    def pieces() -> Iterator[tuple[WorkerBins, list[Nodes]]]:
        for bins in group:
            with contextlib.ExitStack() as stack:
                stores = [_nodes.nodes(tree, bins, len(request["first_child"])) for request, tree in requests]
                yield bins, [stack.enter_context(store) for store in stores]

    return pieces_sums([request for request, _ in requests], pieces())


def _rows_of(group: Sequence[WorkerBins], of_tree: tuple[Request, GrowingTree]) -> list[tuple[int, GatheredRows]]:
    request, tree = of_tree
    found = []
    for bins in group:
        with _nodes.nodes(tree, bins, len(request["first_child"])) as nodes:
            found.append((bins.first_row, piece_rows(request, bins, nodes)))
    return found


def _all_rows(parts: Iterable[list[tuple[int, GatheredRows]]]) -> list[tuple[int, GatheredRows]]:
    return [each for part in parts for each in part]


def _first_row(part: tuple[int, GatheredRows]) -> int:
    return part[0]


def _target_of(group: Sequence[WorkerBins], arguments: tuple[int, float]) -> TargetFacts:
    return TargetFacts.merged(target_facts(bins, *arguments) for bins in group)


def _weights_of(group: Sequence[WorkerBins], arguments: tuple[WeightRule, int]) -> WeightFacts:
    return WeightFacts.merged(weight_facts(bins, *arguments) for bins in group)


def _held_out_of(group: Sequence[WorkerBins], scoring: FoldScoring) -> list[NodeSums]:
    return merged_sums(scoring.sums_of(bins) for bins in group)


# What boosting keeps of the pieces of this worker.
_states = StateStore()


def _result_of(group: Sequence[WorkerBins], tasks: tuple[PieceTask, Merge], shared: Any) -> Any:
    task, merged = tasks
    return merged(task(bins, shared, _states) for bins in group)


def _drop_states(growth: str) -> None:
    _states.drop(growth)


def _end(growth: str, dask_worker: Any) -> None:
    _nodes.drop(growth)
    remove_bins(growth, dask_worker)
