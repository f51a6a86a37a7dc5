"""Removes blanks around the texts of a column, so that 'red' and 'red ' are one level."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import numpy as np

from hornbeam.errors import Set
from hornbeam.table.column import MISSING
from hornbeam.table.notes import Note, NoteCode
from hornbeam.table.raw import RawColumn

BLANKS = " \t\u00a0\u202f"


def trim(raw: RawColumn, kept: Collection[str] = ()) -> RawColumn:
    """The column with trimmed texts; those in `kept` (levels of a model) stay as they are."""
    joined = "\n".join(raw.distinct)
    if raw.codes is None or not any(blank in joined for blank in BLANKS):
        return raw
    trimmed = [text if text in kept else text.strip(BLANKS) for text in raw.distinct]
    changed = [code for code, (old, new) in enumerate(zip(raw.distinct, trimmed)) if old != new]
    if not changed:
        return raw
    n_cells = int(np.isin(raw.codes, changed).sum())
    new_codes = {text: code for code, text in enumerate(dict.fromkeys(filter(None, trimmed)))}
    lookup = np.array([*(new_codes.get(text, MISSING) for text in trimmed), MISSING], dtype=np.int32)
    note = Note(
        f"blanks around {n_cells:,} {'cell' if n_cells == 1 else 'cells'} removed",
        NoteCode.TRIMMED,
        Set("keep_blanks", True, "keeps them"),
    )
    return dataclasses.replace(raw, codes=lookup[raw.codes], distinct=tuple(new_codes), notes=(*raw.notes, note))
