"""A plan as JSON values, for the record of a work folder."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.scale.plan import ColumnPlan, TablePlan
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.text_format import TextFormat


def stored(plan: TablePlan) -> dict[str, Any]:
    """The plan as values that JSON represents exactly."""
    values = {field.name: getattr(plan, field.name) for field in dataclasses.fields(plan)}
    return values | {
        "columns": [_stored_column(column) for column in plan.columns],
        "target": _stored_column(plan.target),
        "notes": [str(note) for note in plan.notes],
    }


def restored(values: dict[str, Any]) -> TablePlan:
    """The plan of stored values."""
    return TablePlan(
        **values
        | {
            "columns": tuple(_restored_column(column) for column in values["columns"]),
            "target": _restored_column(values["target"]),
            "notes": tuple(values["notes"]),
        }
    )


def _stored_column(column: ColumnPlan) -> dict[str, Any]:
    spec = column.spec
    return {
        "name": spec.name,
        "kind": str(spec.kind),
        "levels": list(spec.levels),
        "is_idle": spec.is_idle,
        "text_format": None if spec.text_format is None else dataclasses.asdict(spec.text_format),
        "low": column.low.tolist(),
        "high": column.high.tolist(),
        "values": list(column.values),
        "codes": list(column.codes),
        "n_missing": column.n_missing,
        "notes": [str(note) for note in column.notes],
        "middle": None if column.middle is None else column.middle.tolist(),
    }


def _restored_column(values: dict[str, Any]) -> ColumnPlan:
    text_format = None if values["text_format"] is None else TextFormat(**values["text_format"])
    spec = ColumnSpec(
        values["name"], Kind(values["kind"]), tuple(values["levels"]), values["is_idle"], text_format=text_format
    )
    low, high = (np.array(values[name], dtype=np.float64) for name in ("low", "high"))
    codes = tuple(values["codes"])
    notes, middle = tuple(values["notes"]), values.get("middle")
    return ColumnPlan(
        spec,
        low,
        high,
        tuple(values["values"]),
        codes,
        values["n_missing"],
        notes,
        None if middle is None else np.array(middle),
    )
