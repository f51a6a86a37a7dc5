"""The columns in the page: ranges for what-if, and the description of the data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.text import printable_text, short_number
from hornbeam.table.column import Kind
from hornbeam.table.describe import describe
from hornbeam.table.table import Table
from hornbeam.tree.hiding import count_or_less
from hornbeam.tree.nodes import Tree

Numbers = npt.NDArray[Any]

_MAX_LEVELS = 20_000


def column_values(tree: Tree, table: Table | None, min_count: int) -> list[dict[str, Any]]:
    """The tree's columns: the range and the initial value of each input.

    With `min_count` that many rows are at or beyond each end of the range.
    """
    used = tree.used_columns()
    columns = table.columns if table is not None else None
    out = []
    for position, spec in enumerate(tree.schema.columns):
        low = high = typical = None
        if columns is not None:
            known = columns[position].values[~columns[position].is_missing]
            if spec.kind is Kind.NUMERIC:
                low, high, typical = _range(known[np.isfinite(known)], min_count)
            elif len(known):
                typical = int(np.bincount(np.maximum(known, 0)).argmax())
        out.append(
            {
                "name": printable_text(spec.name),
                "kind": str(spec.kind),
                "levels": [printable_text(level) for level in spec.levels[:_MAX_LEVELS]] if position in used else [],
                "low": low,
                "high": high,
                "typical": typical,
                "is_used": position in used,
            }
        )
    return _with_ranges(tree, out) if columns is None else out


def _range(known: Numbers, min_count: int) -> tuple[float | None, float | None, float | None]:
    """The minimum, maximum and median; with `min_count` the values of that rank from either end."""
    if len(known) <= 2 * min_count:
        return None, None, None
    ordered = np.sort(known)
    rank = max(min_count, 1)
    found = (ordered[rank - 1], ordered[-rank], np.median(ordered))
    low, high, typical = (short_number(float(value)) for value in found)
    return low, high, typical


def _with_ranges(tree: Tree, out: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without a table the range of a column is that of its cuts."""
    cuts: dict[int, list[float]] = {}
    for row in range(len(tree.questions)):
        if tree.questions.column[row] >= 0 and len(tree.questions.reals_of(row)):
            cuts.setdefault(int(tree.questions.column[row]), []).extend(tree.questions.reals_of(row).tolist())
    for position, found in cuts.items():
        reach = (max(found) - min(found)) or abs(found[0]) or 1.0
        out[position]["low"], out[position]["high"] = (
            short_number(min(found) - reach / 2),
            short_number(max(found) + reach / 2),
        )
        out[position]["typical"] = short_number(float(np.median(found)))
    return out


def data_values(table: Table, min_count: int) -> dict[str, Any]:
    """The data as described by `describe`; with `min_count` without the texts that state exact counts and values."""
    found = describe(table)
    source = f" from {found.source}" if found.source else ""
    columns = [each for each in found.columns if each.role == "target"]
    columns += [each for each in found.columns if each.role != "target"]
    rows = [
        [each.name, each.role, each.kind, each.values, count_or_less(each.n_missing, min_count), each.why]
        for each in columns[:2000]
    ]
    notes = [*(f"{each.name}: {note}" for each in columns for note in each.notes), *found.notes]
    if min_count:
        rows = [
            [name, role, kind, "" if kind == Kind.NUMERIC else levels, *rest]
            for name, role, kind, levels, *rest in rows
        ]
        notes = without_numbers(notes)
    n_rows = count_or_less(found.n_rows, min_count)
    return {
        "heading": printable_text(f"{n_rows} rows, {len(found.columns)} columns{source}"),
        "rows": [[printable_text(cell) for cell in row] for row in rows],
        "notes": [printable_text(note) for note in notes],
    }


def without_numbers(texts: Iterable[object]) -> list[str]:
    """The texts that state no number."""
    return [str(text) for text in texts if not re.search(r"\d", str(text))]
