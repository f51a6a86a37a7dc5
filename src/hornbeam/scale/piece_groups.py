"""Groups of pieces whose results are merged by one task: the pieces that a worker holds, one group per thread.

A task that reads pieces where they are moves nothing but its sums. A piece that no worker holds, because one was lost,
is a group of its own, and Dask codes it again wherever there is room.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

_MAX_ROWS = 50_000_000  # so that a cluster that works has results within the deadline


@dataclasses.dataclass(frozen=True)
class Group:
    """The numbers of some pieces, and the worker that holds them; empty if no worker does."""

    places: tuple[int, ...]
    worker: str = ""


def near(worker: str) -> dict[str, Any]:
    """The arguments of Dask for a task that a worker should run; another one may if it is lost or busy."""
    return {"workers": [worker], "allow_other_workers": True} if worker else {}


def groups_of(holders: Sequence[Sequence[str]], sizes: Sequence[int], threads: Mapping[str, int]) -> list[Group]:
    """The groups of pieces of some sizes. Every piece belongs to one of its holders, the one with the fewest rows."""
    rows = dict.fromkeys(threads, 0)
    held: dict[str, list[int]] = {worker: [] for worker in threads}
    found = []
    # Pieces with one holder have no choice, so they come first.
    for place in sorted(range(len(sizes)), key=lambda place: (len(holders[place]), place)):
        possible = [worker for worker in holders[place] if worker in threads]
        if not possible:
            found.append(Group((place,)))
            continue
        worker = min(possible, key=lambda each: (rows[each] / threads[each], each))
        rows[worker] += sizes[place]
        held[worker].append(place)
    for worker, places in held.items():
        n_groups = max(threads[worker], -(-rows[worker] // _MAX_ROWS))
        found += [Group(tuple(some), worker) for some in _divided(sorted(places), sizes, n_groups)]
    return found


def by_worker(groups: Sequence[Group]) -> list[list[Group]]:
    """The groups of every worker together; a group without a worker is alone."""
    found: dict[Any, list[Group]] = {}
    for number, group in enumerate(groups):
        found.setdefault(group.worker or number, []).append(group)
    return list(found.values())


def shared_out(sizes: Sequence[int], threads: Mapping[str, int]) -> list[str]:
    """A worker for every piece, so that all have about as many rows per thread."""
    rows = dict.fromkeys(sorted(threads), 0)
    found = [""] * len(sizes)
    for place in sorted(range(len(sizes)), key=lambda place: (-sizes[place], place)):
        worker = min(rows, key=lambda each: (rows[each] + sizes[place]) / threads[each], default="")
        found[place] = worker
        if worker:
            rows[worker] += sizes[place]
    return found


def _divided(places: Sequence[int], sizes: Sequence[int], n_groups: int) -> list[list[int]]:
    """Pieces in at most some groups of about as many rows."""
    groups: list[list[int]] = [[] for _ in range(min(n_groups, len(places)))]
    rows = [0] * len(groups)
    for place in sorted(places, key=lambda place: (-sizes[place], place)):
        smallest = rows.index(min(rows))
        groups[smallest].append(place)
        rows[smallest] += sizes[place]
    return [sorted(group) for group in groups if group]
