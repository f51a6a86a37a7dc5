"""Notes: messages about a table or a column that are no errors, with a code that programs can test.

A `Note` is a string, so that it is printed, joined and written to JSON as such. `has_note` finds a note by its code and
does not depend on the wording. A note about a rule has the setting that switches the rule off (`fix`); as a string it
names the argument of a Python call, `spelled` names the setting of another interface.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

from hornbeam.errors import Set, Spelling, as_argument, short_repr


class NoteCode(enum.StrEnum):
    """The notes that programs test for."""

    SKIPPED_ROWS = "skipped_rows"
    MISSING_TEXTS = "missing_texts"
    LOOKS_LIKE_DATES = "looks_like_dates"
    DAYS = "days"
    KEPT_INTEGERS = "kept_integers"
    ROUNDED = "rounded"
    TRIMMED = "trimmed"
    NUMBER_FORMAT = "number_format"
    AMBIGUOUS_NUMBERS = "ambiguous_numbers"
    ODD_TEXTS = "odd_texts"
    LEFT_OUT = "left_out"
    ENCODING = "encoding"
    TARGET = "target"


class Note(str):
    """A message, its code, and optionally the setting that changes what it reports."""

    code: NoteCode
    message: str
    fix: tuple[Set, ...]

    def __new__(cls, text: str, code: NoteCode, fix: Set | Sequence[Set] = ()) -> Note:
        """A note with this text and code; `fix.purpose` is what a setting does, such as 'keeps the text'."""
        fixes = (fix,) if isinstance(fix, Set) else tuple(fix)
        note = super().__new__(cls, _with_fixes(text, fixes, as_argument))
        note.code, note.message, note.fix = code, text, fixes
        return note

    def about_column(self, name: str) -> Note:
        """The same note with the name of the column in front."""
        return Note(f"column {name}: {self.message}", self.code, self.fix)

    def spelled(self, spelling: Spelling) -> str:
        """The note as another interface writes it; without the setting if the interface does not have it."""
        return _with_fixes(self.message, self.fix, spelling)

    def __reduce__(self) -> tuple[type[Note], tuple[str, NoteCode, tuple[Set, ...]]]:
        return Note, (self.message, self.code, self.fix)


def _with_fixes(text: str, fixes: Sequence[Set], spelling: Spelling) -> str:
    spelled = [(each, spelling(each)) for each in fixes]
    parts = [f"{''.join(found)} {each.purpose}".rstrip() for each, found in spelled if found is not None]
    return f"{text}; {', '.join(parts)}" if parts else text


def note_text(note: str, spelling: Spelling) -> str:
    """A note, or a string, as an interface writes it."""
    return note.spelled(spelling) if isinstance(note, Note) else note


def has_note(notes: Iterable[str], code: NoteCode) -> bool:
    """Whether one of the notes has the code."""
    return any(isinstance(note, Note) and note.code is code for note in notes)


def missing_texts_note(counts: Iterable[tuple[str, int]], fix: Set | Sequence[Set] = ()) -> tuple[Note, ...]:
    """The note with the number of cells per text that was read as missing; none when there are no such cells."""
    found = counted_texts(counts)
    return (Note(f"read as missing: {found}", NoteCode.MISSING_TEXTS, fix),) if found else ()


def counted_texts(counts: Iterable[tuple[str, int]], most: int = 5) -> str:
    """Texts with the numbers of their cells, such as "2 x 'NA', 1 x '?'"; at most the first few."""
    found = [f"{count} x {short_repr(text, 24)}" for text, count in counts if count]
    return ", ".join(found[:most]) + (f" and {len(found) - most:,} other texts" if len(found) > most else "")


def skipped_rows_note(lines: list[int]) -> tuple[Note, ...]:
    """The note with the lines of a text file that were skipped; none when there are none."""
    some = ", ".join(map(str, lines[:10])) + (", ..." if len(lines) > 10 else "")
    return (Note(f"skipped bad rows: {len(lines)} (lines {some})", NoteCode.SKIPPED_ROWS),) if lines else ()
