"""ClusterSource: the pieces of a table that the workers of a Dask cluster read, and the tasks that read them.

A piece is some row groups of a Parquet file, or a partition of a Dask collection. Tasks are pure functions of a piece:
if a worker is lost, Dask runs them on another one, and computes the partition again by its own graph.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hornbeam.scale.cluster_arguments import as_result
from hornbeam.scale.cluster_waits import Work, results_of
from hornbeam.scale.dask_collections import Partitions
from hornbeam.scale.piece_groups import near, shared_out
from hornbeam.scale.sources.parquet import ParquetPiece, ParquetSource
from hornbeam.scale.sources.partitions import PartitionPiece, describe_partition, partition_label, pieces_of


@dataclasses.dataclass(frozen=True, eq=False)
class ClusterSource:
    """Pieces and the client of their cluster; `tasks` compute the partitions of a collection, None for files."""

    label: str
    names: tuple[str, ...]
    types: dict[str, str]
    n_rows: int
    pieces: tuple[ParquetPiece | PartitionPiece, ...]
    client: Any
    tasks: tuple[Any, ...] | None = None
    ordered: dict[str, list[Any]] = dataclasses.field(default_factory=dict)  # the levels of ordered categories

    def submit(self, work: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Futures of `work(piece, *arguments, number of the piece)` for all pieces.

        Files are shared out among the workers, as Dask sees no difference between their pieces; partitions are worked
        on where Dask has them.
        """
        threads = self.client.nthreads() if self.tasks is None else {}
        shared = as_result(self.client, arguments)
        if self.tasks is None:
            workers = shared_out([piece.n_rows for piece in self.pieces], threads)
            return [
                self.client.submit(_with_number, work, number, piece, shared, pure=False, **near(worker))
                for number, (piece, worker) in enumerate(zip(self.pieces, workers, strict=True))
            ]
        return _submitted(
            self.client,
            [functools.partial(_with_rows, work, number, piece) for number, piece in enumerate(self.pieces)],
            self.tasks,
            [shared],
        )

    def each(self, work: Callable[..., Any], *arguments: Any) -> Iterator[tuple[int, Any]]:
        """The results of `work(piece, *arguments)` with the number of the piece, as they arrive."""
        futures = self.submit(functools.partial(_without_number, work), *arguments)
        return results_of(self.client, Work(futures, self.labels))

    def only(self, numbers: Sequence[int]) -> ClusterSource:
        """The source of some of the pieces."""
        tasks = None if self.tasks is None else tuple(self.tasks[number] for number in numbers)
        return dataclasses.replace(self, pieces=tuple(self.pieces[number] for number in numbers), tasks=tasks)

    @property
    def labels(self) -> list[str]:
        """The names of the pieces in messages."""
        return [piece.label for piece in self.pieces]


def files_on_cluster(source: ParquetSource, client: Any) -> ClusterSource:
    """Files that every worker can read under their absolute paths."""
    pieces = tuple(dataclasses.replace(piece, path=os.path.abspath(piece.path)) for piece in source.pieces)
    return ClusterSource(source.label, source.names, source.types, source.n_rows, pieces, client)


def partitions_on_cluster(partitions: Partitions, client: Any) -> ClusterSource:
    """The partitions of a collection, in their order; every one is computed once to count its rows."""
    labels = [partition_label(number, partitions.label) for number in range(len(partitions.tasks))]
    works = [
        functools.partial(_described, number, partitions.label, partitions.names)
        for number in range(len(partitions.tasks))
    ]
    futures = _submitted(client, works, partitions.tasks, [])
    facts = dict(results_of(client, Work(futures, labels)))
    types, pieces = pieces_of([facts[number] for number in range(len(facts))], partitions.label)
    n_rows = sum(piece.n_rows for piece in pieces)
    tasks, ordered = partitions.tasks, partitions.ordered
    return ClusterSource(partitions.label, partitions.names, types, n_rows, pieces, client, tasks, ordered)


def piece_mark(piece: ParquetPiece | PartitionPiece) -> tuple[Any, ...]:
    """What identifies the rows of a piece, on any machine that reads it."""
    if isinstance(piece, PartitionPiece):
        return piece.number, piece.n_rows, piece.fingerprint
    return os.path.abspath(piece.path), piece.groups, piece.fingerprint


def _submitted(client: Any, works: Sequence[Any], tasks: Sequence[Any], shared: Sequence[Any]) -> list[Any]:
    """The futures of functions of the partitions that tasks compute."""
    from dask import delayed

    calls = [delayed(work, pure=False)(task, *shared) for work, task in zip(works, tasks, strict=True)]
    found: list[Any] = client.compute(calls, optimize_graph=False)
    return found


# The tasks.


def _described(number: int, source: str, names: Sequence[str], frame: Any) -> Any:
    return describe_partition(frame, number, source, names)


def _with_number(work: Any, number: int, piece: Any, arguments: Sequence[Any]) -> Any:
    return work(piece, *arguments, number)


def _with_rows(work: Any, number: int, piece: Any, frame: Any, arguments: Sequence[Any]) -> Any:
    return work(piece.opened(frame), *arguments, number)


def _without_number(work: Any, piece: Any, *arguments: Any) -> Any:
    return work(piece, *arguments[:-1])
