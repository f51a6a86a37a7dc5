"""Rounds on a Dask cluster: every task is a pure function of one piece and a request.

A worker codes a piece when it first needs it, into a file on its own disk, and reads that file in later rounds. The
file only saves time: a worker without it writes it again, and a source that has changed meanwhile is an error. If a
worker is lost, Dask runs its tasks on another one. Sums are integers, so the tree does not depend on the workers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamError, InputError
from hornbeam.scale.bin_files import BinFile, Layout, write_bin_file
from hornbeam.scale.binned import Floats
from hornbeam.scale.boost_states import StateStore
from hornbeam.scale.first_pass import Roles, TableSummary, summarize_piece
from hornbeam.scale.plan import TablePlan
from hornbeam.scale.rounds import GatheredRows, PieceTask, Request, Sums, joined, piece_rows, piece_sums
from hornbeam.scale.sources.parquet import ParquetPiece
from hornbeam.scale.target_facts import TargetFacts, WeightFacts, WeightRule, target_facts, weight_facts

_WAIT_SECONDS = 600  # without any result


@dataclasses.dataclass(frozen=True)
class PieceHandle:
    """A piece of the source and where its rows are in the table; small enough to travel with every task."""

    piece: ParquetPiece
    n_rows: int
    first_row: int
    batch_rows: int
    has_weights: bool

    @property
    def weights(self) -> Floats | None:
        """None if every weight is 1; the weights themselves are read by the workers."""
        return np.zeros(0) if self.has_weights else None


@dataclasses.dataclass(frozen=True, eq=False)
class Coding:
    """How workers code pieces: the same for all pieces of a growth."""

    roles: Roles
    plan: TablePlan
    key: str

    @classmethod
    def of(cls, roles: Roles, plan: TablePlan) -> Coding:
        """The coding of a plan."""
        from hornbeam.scale.stored_plan import stored

        return cls(roles, plan, hashlib.sha256(repr((roles, stored(plan))).encode()).hexdigest()[:32])


def binned_on_worker(handle: PieceHandle, coding: Coding) -> BinFile:
    """The bin file of a piece on the disk of this worker, written if it is not there."""
    folder = Path(_worker_folder()) / f"hornbeam-{coding.key}"
    folder.mkdir(exist_ok=True)
    piece = handle.piece
    name = hashlib.sha256(repr((piece.path, piece.groups, piece.fingerprint)).encode()).hexdigest()[:32]
    path = folder / f"{name}.bins"
    layout = Layout.of(coding.plan, handle.n_rows)
    if not path.exists() or path.stat().st_size != layout.size:
        own = folder / f"{name}.{os.getpid()}.bins"
        write_bin_file(piece, coding.roles, coding.plan, own, handle.n_rows, handle.batch_rows)
        os.replace(own, path)
    return BinFile(str(path), handle.n_rows, handle.first_row, layout)


def remove_bins(key: str, dask_worker: Any) -> None:
    """Remove the bin files of a coding on a worker, which Dask passes."""
    shutil.rmtree(Path(dask_worker.local_directory) / f"hornbeam-{key}", ignore_errors=True)


def _worker_folder() -> str:
    """The folder of this worker, which Dask removes when the worker ends."""
    try:
        from distributed import get_worker

        return str(get_worker().local_directory)
    except (ImportError, ValueError):  # not on a worker
        return tempfile.gettempdir()


# The tasks.


def _same(value: Any) -> Any:
    return value


def _sums_of(handle: PieceHandle, coding: Coding, requests: Sequence[Request]) -> list[Sums]:
    piece = binned_on_worker(handle, coding)
    return [piece_sums(request, piece) for request in requests]


def _rows_of(handle: PieceHandle, coding: Coding, request: Request) -> GatheredRows:
    return piece_rows(request, binned_on_worker(handle, coding))


def _target_of(handle: PieceHandle, coding: Coding, arguments: tuple[int, float]) -> TargetFacts:
    return target_facts(binned_on_worker(handle, coding), *arguments)


def _weights_of(handle: PieceHandle, coding: Coding, arguments: tuple[WeightRule, int]) -> WeightFacts:
    return weight_facts(binned_on_worker(handle, coding), *arguments)


# What boosting keeps of the pieces of this worker.
_states = StateStore()


def _result_of(handle: PieceHandle, coding: Coding, task: PieceTask, shared: Any) -> Any:
    return task(binned_on_worker(handle, coding), shared, _states)


def _drop_states(growth: str) -> None:
    _states.drop(growth)


def summaries_on_cluster(
    client: Any, pieces: Sequence[ParquetPiece], roles: Roles, batch_rows: int
) -> Iterator[tuple[int, TableSummary]]:
    """The summaries of all pieces, with the number of the piece, in the order in which they arrive."""
    shared = client.submit(_same, roles, pure=False)
    futures = [client.submit(summarize_piece, piece, shared, batch_rows, pure=False) for piece in pieces]
    return results_of(futures, [piece.label for piece in pieces])


class DaskRounds:
    """Rounds over pieces on the workers of a client."""

    def __init__(self, client: Any, handles: Sequence[PieceHandle], coding: Coding) -> None:
        self.client = client
        self.handles = handles
        self.key = coding.key
        self.coding = client.submit(_same, coding, pure=False)
        self._shared: tuple[Any, Any] | None = None  # a value and its future

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
        """Remove the bin files of the workers; a lost worker or cluster has none."""
        with contextlib.suppress(Exception):
            self.coding.cancel()
            self.client.run(remove_bins, self.key, on_error="ignore")

    def _each(self, task: Callable[..., Any], argument: Any, *others: Any) -> Iterator[tuple[int, Any]]:
        """The results of a task for all pieces, with the number of the piece, in the order in which they arrive."""
        shared = self.client.submit(_same, argument, pure=False)
        given = (self.coding, shared, *others)
        futures = [self.client.submit(task, handle, *given, pure=False) for handle in self.handles]
        return results_of(futures, [handle.piece.label for handle in self.handles])


def _writable(sums: Sums) -> Sums:
    return Sums(sums.cells.copy(), sums.totals.copy(), sums.low.copy(), sums.high.copy())


def results_of(futures: Sequence[Any], labels: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """The results of futures as they arrive; an error names the piece."""
    from distributed import as_completed

    places = {future.key: place for place, future in enumerate(futures)}
    try:
        for future in as_completed(futures, timeout=_WAIT_SECONDS):
            place = places[future.key]
            try:
                result = future.result()
            except HornbeamError:
                raise
            except Exception as error:
                raise InputError(
                    f"{labels[place]} could not be processed by the workers: {type(error).__name__}: {error}.",
                    hint="Check that every worker can read the file and has enough memory and disk.",
                ) from error
            yield place, result
            future.release()
    except TimeoutError as error:
        raise InputError(f"No worker returned a result within {_WAIT_SECONDS} s.", hint="Check the cluster.") from error
    finally:
        for future in futures:
            future.cancel()
