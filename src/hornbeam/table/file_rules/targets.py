"""The target of a file: two different integers are classes, more are numbers, and an id is no target.

    0, 1 or 1, 2 ...          classes (classification)
    0, 1, 2, 5, ...           numbers (regression), with a note
    text or integers, nearly all different, that look like an id     an error before any work

A kind that is requested for the target, or declared by the source, is used without a note.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.table.column import Column, Kind
from hornbeam.table.file_rules.ids import UNDECIDED
from hornbeam.table.notes import Note, NoteCode
from hornbeam.table.raw import RawColumn
from hornbeam.table.remarks import is_id_name

_MIN_TEXTS, _MIN_INTEGERS = 10, 20
TWO_INTEGERS = "two different integers"
_NEARLY_ALL = 0.9


def inferred_kind(raw: RawColumn) -> tuple[Kind | None, tuple[Note, ...]]:
    """The kind of a numeric target without a request, and the note about it; None leaves the kind as it is."""
    values = raw.numbers
    if values is None or raw.declared is not None or (raw.text_format is not None and raw.text_format.date):
        return None, ()
    known = values[~np.isnan(values)] if np.isnan(values).any() else values
    if not len(known) or not (known == np.floor(known)).all():
        return None, ()
    low, high = float(known.min()), float(known.max())
    if low == high:
        return None, ()
    if ((known == low) | (known == high)).all():
        text = f"the integers {low:.0f} and {high:.0f} are two classes"
        return Kind.NOMINAL, (Note(text, NoteCode.TARGET, Set("kinds", {raw.name: "numeric"}, "predicts a number")),)
    text = f"the integers from {low:.0f} to {high:.0f} are predicted as a number"
    return None, (Note(text, NoteCode.TARGET, Set("kinds", {raw.name: "nominal"}, "predicts classes")),)


def reject_id(column: Column) -> None:
    """Raise an error if a target without a requested kind looks like an id."""
    known = column.values[~column.is_missing]
    if len(known) < (_MIN_INTEGERS if column.kind is Kind.NUMERIC else _MIN_TEXTS):
        return
    n_distinct = len(np.unique(known))
    if n_distinct < _NEARLY_ALL * len(known) or (column.kind is Kind.NUMERIC and not _is_like_id(column, known)):
        return
    undecided = [note for note in column.notes if isinstance(note, Note) and note.code in UNDECIDED]
    if undecided:
        reason = f"text with {n_distinct:,} different values: {undecided[0].message}"
        message = f"The target {short_repr(column.name)} is {reason}."
        raise InputError(message, fix=undecided[0].fix, column=column.name, looks_like_id=str(column.kind))
    raise InputError(
        f"The target {short_repr(column.name)} looks like an id: {n_distinct:,} different values in {len(known):,} "
        "rows.",
        fix=Set("kinds", {column.name: str(column.kind)}, "to predict it nevertheless"),
        hint="or choose another target.",
        column=column.name,
        looks_like_id=str(column.kind),
    )


def _is_like_id(column: Column, known: npt.NDArray[Any]) -> bool:
    """Whether nearly distinct numbers are an id: integers with the name of an id, in order, or without gaps."""
    if column.text_format is not None and column.text_format.date:
        return False
    if not (known == np.floor(known)).all():
        return False
    is_dense = float(known.max() - known.min()) < 1.5 * len(known)
    return is_id_name(column.name) or is_dense
