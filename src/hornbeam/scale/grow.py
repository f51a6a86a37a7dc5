"""Growth of a tree from binned data in pieces.

The core decides splits from sums per bin and makes requests; `rounds` answers them from the pieces. Sums are integers,
so the tree is the same for any pieces, any number of threads and any memory limit; where every bin is one value it is
the tree grown in memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.growing.in_core import tree_of
from hornbeam.growing.method import Method
from hornbeam.growing.plan import Plan, plan_for
from hornbeam.growing.sample import PreparedData, balanced_factors, by_class, tree_metadata
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.outline import outline, prepared_outline, schema_of, with_parts_of
from hornbeam.scale.refusals import check_from_pieces, check_prepared
from hornbeam.scale.rounds import LocalRounds, Request, Rounds, Sums
from hornbeam.scale.target_facts import Units, WeightFacts, WeightRule, units_of
from hornbeam.table.column import Kind
from hornbeam.tree.nodes import Tree

_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}
_DEFAULT_MEMORY = 2**30
_CELL = 8
# Progress as it is reported: nodes so far, and nodes that are still to be split.
Progress = Callable[[int, int], None]


@dataclasses.dataclass(frozen=True, eq=False)
class Counted:
    """How rows are counted: units, weights by class, and the sums of the root."""

    units: Units
    rule: WeightRule
    class_weights: npt.NDArray[np.float64]
    class_totals: tuple[int, ...]
    total_weight: float
    root: Sums

    def settings(self) -> dict[str, Any]:
        """The entries that every request has."""
        found: dict[str, Any] = {**self.units.as_dict(), "weight_scale": self.rule.scale, "weight_step": self.rule.step}
        if self.rule.by_class:
            found["class_weight"] = np.array(self.rule.by_class)
        return found


def grow_binned(
    data: BinnedData,
    method: Method,
    *,
    seed: int = 0,
    memory_limit: int | None = None,
    rounds: Rounds | None = None,
    progress: Progress | None = None,
    threads: int = 1,
) -> Tree:
    """A tree grown from binned data; `memory_limit` are the bytes that growth may use, which never change the tree."""
    if rounds is None:
        rounds = LocalRounds(data.pieces, threads=threads)
    n_classes = len(data.target.levels) if data.target.kind is not Kind.NUMERIC else 0
    counted = _count(data, method, rounds, n_classes)
    n_missing = _missing(data, counted)
    has_missing = [count > 0 for count in n_missing]
    check_from_pieces(method, data, has_missing)
    start = prepared_outline(outline(data, counted.class_weights, has_missing), method, seed=seed)
    check_prepared(start)
    grower = _grower(data, start, counted, memory_limit or _DEFAULT_MEMORY, threads)
    _run(grower, rounds, counted, progress)
    start = with_parts_of(start, method)
    tree = tree_of(start, grower.grown(n_classes > 0), _metadata(data, start, counted, n_missing))
    return dataclasses.replace(tree, schema=schema_of(data, _idle(data, counted)))


def _count(data: BinnedData, method: Method, rounds: Rounds, n_classes: int) -> Counted:
    """The units of the target and of the weights, and the sums of the root in them."""
    target = data.target
    facts = rounds.target_facts(n_classes, target.minimum / 2 + target.maximum / 2)
    rule, weights = _weights(data, method, rounds, facts.rows, n_classes)
    numbers = None if n_classes else (target.minimum, target.maximum, facts.nearest)
    units = units_of(data.n_rows, weights, numbers)
    if weights is None:
        totals = facts.rows.astype(np.float64)
    else:
        totals = np.array([total.value() for total in weights.totals])
    counted = Counted(
        units,
        rule,
        totals,
        tuple(int(total) for total in totals / units.weight_unit) if n_classes else (),
        float(data.n_rows) if weights is None else weights.total,
        Sums(*(np.zeros(0, np.int64),) * 2, *(np.zeros(0),) * 2),
    )
    return dataclasses.replace(counted, root=rounds.statistics(_root_request(data, n_classes, counted)))


def _weights(
    data: BinnedData, method: Method, rounds: Rounds, rows: npt.NDArray[np.int64], n_classes: int
) -> tuple[WeightRule, WeightFacts | None]:
    """How the weights of rows are changed, and what they add up to; None without weights."""
    has_weights = any(piece.weights is not None for piece in data.pieces)
    if not has_weights and (method.class_weight is None or not n_classes):
        return WeightRule(), None
    rule = WeightRule()
    if method.weights == "importance" and has_weights:
        total = rounds.weight_facts(rule, 0).total
        rule = WeightRule(scale=data.n_rows / total)
    if n_classes and method.class_weight is not None:
        if isinstance(method.class_weight, str):
            factors = balanced_factors(rows)
        else:
            factors = by_class("class_weight", method.class_weight, data.target.levels, missing=1.0)
        rule = dataclasses.replace(rule, by_class=tuple(factors.tolist()))
    total = rounds.weight_facts(rule, 0).total
    rule = dataclasses.replace(rule, step=2.0 ** (int(np.frexp(total)[1]) - 52))
    return rule, rounds.weight_facts(rule, n_classes)


def _root_request(data: BinnedData, n_classes: int, counted: Counted) -> Request:
    """The sums of all columns over all rows."""
    nothing = np.zeros(0, dtype=np.int32)
    return {
        "first_child": np.array([-1], dtype=np.int32),
        "first_question": np.zeros(2, dtype=np.int32),
        "otherwise": np.array([-1], dtype=np.int16),
        "question_column": nothing,
        "question_map": np.zeros(0, dtype=np.int64),
        "maps": np.zeros(0, dtype=np.int16),
        "slot": np.zeros(1, dtype=np.int32),
        "total": np.zeros(1, dtype=np.int32),
        "columns": np.arange(len(data.columns), dtype=np.int32),
        "n_codes": np.array([len(column.low) for column in data.columns], dtype=np.uint32),
        "n_slots": 1,
        "n_totals": 1,
        "by_side": False,
        "n_classes": n_classes,
        **counted.settings(),
    }


def _root_cells(data: BinnedData, counted: Counted) -> list[npt.NDArray[np.int64]]:
    """The sums of the root by column: a row per code, the last for missing values."""
    codes = [len(column.low) + 1 for column in data.columns]
    width = len(counted.root.cells) // sum(codes) if codes else 1
    ends = np.cumsum(codes)[:-1] * width
    return [part.reshape(-1, width) for part in np.split(counted.root.cells, ends)]


def _root_rows(data: BinnedData, counted: Counted) -> list[npt.NDArray[np.int64]]:
    """The rows of the root by column and code."""
    n_sums = len(counted.class_totals) or 1
    last = -1 if counted.units.is_weighted else None
    return [
        cells[:, last] if last is not None else cells[:, :n_sums].sum(axis=1) for cells in _root_cells(data, counted)
    ]


def _common(rows: npt.NDArray[np.int64], plan: Plan) -> int:
    """The code of most rows of a column of two codes, from which the core scores its only cut; else -1."""
    is_read_alone = plan["random_cuts"] or plan.get("max_features", 0) > 0
    return -1 if len(rows) != 3 or rows[-1] or is_read_alone else int(rows[1] > rows[0])


def _missing(data: BinnedData, counted: Counted) -> list[int]:
    """The weight of the missing values of every column, in units."""
    n_sums = len(counted.class_totals) or 1
    return [int(cells[-1, :n_sums].sum()) for cells in _root_cells(data, counted)]


def _idle(data: BinnedData, counted: Counted) -> list[bool]:
    """Whether a column is missing in all rows, or has one value in all of them."""
    found = []
    for column, cells in zip(data.columns, _root_cells(data, counted), strict=True):
        present = np.flatnonzero(cells.any(axis=1))
        is_one = len(present) == 1 and (
            present[0] == len(column.low) or column.low[present[0]] == column.high[present[0]]
        )
        found.append(bool(is_one))
    return found


def _grower(data: BinnedData, start: PreparedData, counted: Counted, memory: int, threads: int) -> Any:
    plan = plan_for(start)
    plan["bins"] = 0
    plan.pop("weights", None)
    columns = [
        (_KINDS[column.kind], column.low, column.high, bool(rows[-1]), _common(rows, plan))
        for column, rows in zip(data.columns, _root_rows(data, counted), strict=True)
    ]
    row_bytes = sum(1 if len(column.low) < 256 else 2 for column in data.columns) + 32
    facts = {
        "n_rows": data.n_rows,
        **counted.units.as_dict(),
        "class_totals": list(counted.class_totals),
        "round_cells": max(memory // 4 // _CELL, 1),
        "held_cells": max(memory // 4 // _CELL, 1),
        "collected": max(memory // 4 // row_bytes, 1),
        "collected_at_once": max(memory // 4 // row_bytes, 1),
        "threads": threads,
    }
    if counted.units.is_weighted:
        facts["weight"] = int(counted.total_weight / counted.units.weight_unit)
    return _native.PieceGrower(plan, columns, facts)


def _run(grower: Any, rounds: Rounds, counted: Counted, progress: Progress | None) -> None:
    settings = counted.settings()
    is_root = True
    while (request := grower.next()) is not None:
        request |= {name: value for name, value in settings.items() if name not in request}
        if grower.wants_rows:
            rows = rounds.collect(request)
            grower.finish(request, rows.codes, rows.target, rows.weights, rows.nodes)
        else:
            sums = counted.root if is_root else rounds.statistics(request)
            grower.answer(sums.as_dict())
        is_root = False
        if progress is not None:
            progress(grower.n_nodes, grower.n_open)
    if progress is not None:
        progress(grower.n_nodes, 0)


def _metadata(data: BinnedData, start: PreparedData, counted: Counted, n_missing: list[int]) -> dict[str, Any]:
    """The metadata of the tree: those of the outline with the facts of the whole table."""
    metadata = tree_metadata(start) | {"rows": data.n_rows, "weight": counted.total_weight, "notes": []}
    if "missing_fractions" in metadata:
        unit = counted.units.weight_unit
        metadata["missing_fractions"] = [count * unit / counted.total_weight for count in n_missing]
    return metadata
