"""Notes: messages about a table or a column that are no errors, with a code that programs can test.

A `Note` is a string, so that it is printed, joined and written to JSON as such. `has_note` finds a note by its code and
does not depend on the wording.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from hornbeam.errors import short_repr


class NoteCode(enum.StrEnum):
    """The notes that programs test for."""

    SKIPPED_ROWS = "skipped_rows"
    MISSING_TEXTS = "missing_texts"
    LOOKS_LIKE_DATES = "looks_like_dates"
    DAYS = "days"
    KEPT_INTEGERS = "kept_integers"
    ROUNDED = "rounded"


class Note(str):
    """A message and its code."""

    code: NoteCode

    def __new__(cls, text: str, code: NoteCode) -> Note:
        """A note with this text and code."""
        note = super().__new__(cls, text)
        note.code = code
        return note

    def __reduce__(self) -> tuple[type[Note], tuple[str, NoteCode]]:
        return Note, (str(self), self.code)


def has_note(notes: Iterable[str], code: NoteCode) -> bool:
    """Whether one of the notes has the code."""
    return any(isinstance(note, Note) and note.code is code for note in notes)


def missing_texts_note(counts: Iterable[tuple[str, int]]) -> tuple[Note, ...]:
    """The note with the number of cells per text that was read as missing; none when there are no such cells."""
    found = ", ".join(f"{count} x {short_repr(text)}" for text, count in counts if count)
    return (Note(f"read as missing: {found}", NoteCode.MISSING_TEXTS),) if found else ()


def skipped_rows_note(lines: list[int]) -> tuple[Note, ...]:
    """The note with the lines of a text file that were skipped; none when there are none."""
    some = ", ".join(map(str, lines[:10])) + (", ..." if len(lines) > 10 else "")
    return (Note(f"skipped bad rows: {len(lines)} (lines {some})", NoteCode.SKIPPED_ROWS),) if lines else ()
