"""Growth of a tree from binned data in pieces.

The core decides splits from sums per bin and makes requests; `rounds` answers them from the pieces. Sums are integers,
so the tree is the same for any pieces, any number of threads and any memory limit; where every bin is one value it is
the tree grown in memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.growing.core_job import job_of
from hornbeam.growing.in_core import tree_of
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, tree_metadata
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.checkpoint import Growth
from hornbeam.scale.counting import Root, count_rows
from hornbeam.scale.imputation import Imputed, counted
from hornbeam.scale.outline import outline, prepared_outline, schema_of, with_parts_of
from hornbeam.scale.refusals import check_from_pieces, check_prepared
from hornbeam.scale.rounds import LocalRounds, Request, Rounds, Sums, core_request
from hornbeam.table.column import Kind
from hornbeam.tree.nodes import Tree

DEFAULT_MEMORY = 2**30
_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}
_CELL = 8
_ROW_BYTES = 40
_SMALL_NODE = 4096
# Progress as it is reported: nodes so far, and nodes that are still to be split.
Progress = Callable[[int, int], None]


def grow_binned(
    data: BinnedData,
    method: Method,
    *,
    seed: int = 0,
    memory_limit: int | None = None,
    rounds: Rounds | None = None,
    progress: Progress | None = None,
    threads: int = 1,
    saved: Growth | None = None,
) -> Tree:
    """A tree grown from binned data; `memory_limit` is the number of bytes for sums and rows, and changes no tree.

    `saved` has the tree so far of an interrupted growth, and receives it after every round.
    """
    if rounds is None:
        rounds = LocalRounds(data.pieces, threads=threads)
    (start,) = counted(data, method, [count_rows(data, method, rounds)], rounds)
    root = Root(start.counting, rounds.statistics([start.counting.root_request()])[0])
    settings: dict[str, Any] = {"seed": seed, "memory": memory_limit or DEFAULT_MEMORY, "threads": threads}
    growth = TreeGrowth(start.data, method, root, imputed=start.imputed, **settings)
    if saved is not None and saved.state is not None:
        growth.restore(saved.state)
    while (request := growth.request()) is not None:
        if growth.needs_rows:
            growth.finish(request, rounds)
        else:
            growth.take(rounds.statistics([request])[0])
        if saved is not None:
            saved.save(growth.core.state)
        if progress is not None:
            progress(growth.core.n_nodes, growth.core.n_open)
    if progress is not None:
        progress(growth.core.n_nodes, 0)
    return growth.tree()


class TreeGrowth:
    """One tree while it grows: requests, answers, and the tree in the end."""

    def __init__(
        self,
        data: BinnedData,
        method: Method,
        root: Root,
        *,
        seed: int,
        memory: int,
        threads: int = 1,
        imputed: Imputed | None = None,
    ) -> None:
        self.data, self.method, self.root, self.imputed = data, method, root, imputed
        has_missing = imputed.has_missing if imputed else [weight > 0 for weight in root.missing_weights()]
        check_from_pieces(method, data, has_missing)
        table = outline(data, root.class_weights, has_missing)
        self.start = prepared_outline(table, method, seed=seed, tree=root.counting.tree)
        if imputed is not None:
            sample = dataclasses.replace(self.start.sample, fill_values=imputed.fill_values)
            self.start = dataclasses.replace(self.start, sample=sample)
        check_prepared(self.start)
        self.core: Any = _core(data, self.start, root, memory, threads)
        self._settings = root.counting.settings()
        self._is_at_root = True

    @property
    def needs_rows(self) -> bool:
        """Whether the request is for rows."""
        return bool(self.core.wants_rows)

    def request(self) -> Request | None:
        """The next request; None when the tree is complete. The sums of the root are known already."""
        found: Request | None = self.core.next()
        if self._is_at_root and found is not None:
            self._is_at_root = False
            self.take(self.root.sums)
            found = self.core.next()
        if found is None:
            return None
        return found | {name: value for name, value in self._settings.items() if name not in found}

    def restore(self, state: bytes) -> None:
        """Continue from the state of an interrupted growth."""
        self.core.restore(state)
        self._is_at_root = False

    def take(self, sums: Sums) -> None:
        """Take the sums that answer a request."""
        self.core.answer(sums.as_dict())

    def finish(self, request: Request, rounds: Rounds) -> None:
        """Take the rows of a request."""
        self.core.finish(core_request(request), rounds.collect(request).as_dict())

    def tree(self) -> Tree:
        """The tree, once it is complete."""
        start = with_parts_of(self.start, self.method)
        arrays = self.core.grown(self.root.counting.n_classes > 0)
        tree = tree_of(start, arrays, metadata_of(start, self.root))
        idle = idle_columns(self.data, self.root, self.imputed.has_missing if self.imputed else None)
        return dataclasses.replace(tree, schema=schema_of(self.data, idle))


def idle_columns(data: BinnedData, root: Root, is_imputed: Sequence[bool] | None = None) -> list[bool]:
    """Whether a column is missing in all rows, or has one value in all of them."""
    found = []
    for position, (column, rows) in enumerate(zip(data.columns, root.rows(), strict=True)):
        present = np.flatnonzero(rows)
        code = int(present[0]) if len(present) == 1 else -1
        is_missing = code == len(column.low)
        is_constant = code >= 0 and (is_missing or bool(column.low[code] == column.high[code]))
        found.append(is_constant and (is_missing or is_imputed is None or not is_imputed[position]))
    return found


def _core(data: BinnedData, start: PreparedData, root: Root, memory: int, threads: int) -> Any:
    job = job_of(start)
    job.pop("weights", None)
    is_read_alone = "max_features" in job or any(s.name == "random_cuts" for s in start.method.searches)
    columns = [
        (_KINDS[column.kind], column.low, column.high, bool(rows[-1]), _common(rows, is_read_alone))
        for column, rows in zip(data.columns, root.rows(), strict=True)
    ]
    units = root.counting.units
    facts = {
        "n_rows": root.n_rows,
        **units.as_dict(),
        "class_totals": root.class_totals if root.counting.n_classes else [],
        **_limits(data, root, memory),
        "threads": threads,
    }
    if units.is_weighted:
        facts["weight"] = sum(root.class_totals)
    return _native.PieceGrower(job, columns, facts)


def _common(rows: npt.NDArray[np.int64], is_read_alone: bool) -> int:
    """The code of most rows of a column of two codes, from which the core scores its only cut; else -1."""
    return -1 if len(rows) != 3 or rows[-1] or is_read_alone else int(rows[1] > rows[0])


def _limits(data: BinnedData, root: Root, memory: int) -> dict[str, int]:
    """How the memory is used: a quarter each for the sums of a round, for those that open nodes keep, and for rows.

    Nodes are finished from their rows when they are small, or when the sums of all nodes of their size do not fit into
    one round.
    """
    share = memory // 4
    row_bytes = sum(np.dtype(column.dtype).itemsize for column in data.columns) + _ROW_BYTES
    at_once, cells = max(share // row_bytes, 1), max(share // _CELL, 1)
    in_rounds = data.n_rows * len(root.sums.cells) // cells
    return {
        "round_cells": cells,
        "held_cells": cells,
        "collected": min(max(in_rounds, _SMALL_NODE), at_once),
        "collected_at_once": at_once,
    }


def metadata_of(start: PreparedData, root: Root) -> dict[str, Any]:
    """The metadata of the tree: those of the outline with the facts of the whole table."""
    metadata = tree_metadata(start) | {"rows": root.n_rows, "weight": root.weight, "notes": []}
    if "missing_fractions" in metadata:
        metadata["missing_fractions"] = [weight / root.weight for weight in root.missing_weights()]
    return metadata
