"""Leaves out columns that look like ids or free text: a question about them does not generalize.

A column stays if its kind is requested, if it is named in `columns`, with `keep_ids=True`, if it could be a column of
numbers or dates, or if no other predictor is left.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hornbeam.errors import Set, short_repr
from hornbeam.table.column import Column
from hornbeam.table.notes import Note, NoteCode, has_note
from hornbeam.table.remarks import AN_ID, FREE_TEXT

# Notes of columns that are text only because their numbers or dates could not be read.
UNDECIDED = (NoteCode.ODD_TEXTS, NoteCode.AMBIGUOUS_NUMBERS, NoteCode.LOOKS_LIKE_DATES)


def leave_out_ids(columns: Sequence[Column], kept: Collection[str]) -> tuple[tuple[Column, ...], tuple[Note, ...]]:
    """The columns without those that look like ids, and one note per excluded column."""
    left_out = {column.name for column in columns if column.name not in kept and _reason(column)}
    if len(left_out) == len(columns):
        return tuple(columns), ()
    notes = tuple(
        Note(
            f"column {short_repr(column.name)} is excluded: {_reason(column)}",
            NoteCode.LEFT_OUT,
            Set("keep_ids", True, "keeps it"),
        )
        for column in columns
        if column.name in left_out
    )
    return tuple(column for column in columns if column.name not in left_out), notes


def _reason(column: Column) -> str:
    if any(has_note(column.notes, code) for code in UNDECIDED):
        return ""
    for note, reason in ((AN_ID, "it looks like an id"), (FREE_TEXT, "it is free text")):
        if note in column.notes:
            n_levels = f" ({len(column.levels):,} different values in {len(column):,} rows)" if column.levels else ""
            return reason + n_levels
    return ""
