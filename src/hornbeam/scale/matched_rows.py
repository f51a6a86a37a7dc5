"""New rows of a model in batches: MatchedRows, and the interface of a source that yields them.

A source of text may find in a later cell that its reading of earlier cells was wrong. It then raises `ReadAgain`: the
batches so far are discarded, and the next attempt reads with this knowledge; or `ReadAtOnce`, if only the rules for
files, which see all cells, can decide.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from hornbeam.errors import HornbeamError, InputError, did_you_mean, short_repr
from hornbeam.table.column import Column
from hornbeam.table.match import match_columns
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.table import Schema


@dataclasses.dataclass(frozen=True, eq=False)
class MatchedRows:
    """Consecutive rows as the columns of a model, and the kept columns of the source as they are."""

    columns: tuple[Column, ...]
    kept: Mapping[str, Any]
    first_row: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0


class ReadAgain(Exception):  # noqa: N818 - a request, not an error
    """The batches so far must be discarded; the source reads them in another way when it is read again."""


class ReadAtOnce(Exception):  # noqa: N818 - a request, not an error
    """The batches so far must be discarded, and the source read at once; `reason` is the error if that cannot be."""

    def __init__(self, reason: HornbeamError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class BatchedRows(Protocol):
    """New rows that are read in batches; `close` removes temporary files."""

    @property
    def may_read_again(self) -> bool:
        """Whether `matched` may raise `ReadAgain` or `ReadAtOnce`."""

    @property
    def label(self) -> str:
        """The name of the source in messages."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""

    @property
    def n_rows(self) -> int | None:
        """The number of rows, for a text file about; None if it is unknown."""

    def matched(self, schema: Schema, keep: Sequence[str] = (), option: str = "keep") -> Iterator[MatchedRows]:
        """The rows, matched to the columns of a model; `option` is the name of the setting that lists `keep`."""

    def close(self) -> None:
        """Remove temporary files."""


def check_names(schema: Schema, rows: BatchedRows, keep: Sequence[str], option: str) -> None:
    """Raise an error about columns that the source lacks, warn of columns that the model lacks."""
    for name in keep:
        if name not in rows.names:
            raise InputError(
                f"{option}: unknown column {short_repr(name)} in {short_repr(rows.label, 200)}.",
                hint=did_you_mean(name, rows.names),
                column=name,
                path=rows.label,
            )
    shown = [name for name in rows.names if name in schema.names or name not in keep]
    with_levels = {spec.name for spec in schema.columns if spec.has_levels}
    no_codes, no_numbers = np.empty(0, dtype=np.int32), np.empty(0)
    columns = [
        RawColumn(name, codes=no_codes) if name in with_levels else RawColumn(name, numbers=no_numbers)
        for name in shown
    ]
    match_columns(schema, RawTable(tuple(columns)))


@contextlib.contextmanager
def rows_counted_from(first_row: int) -> Iterator[None]:
    """Let errors about a row of a batch name the row of the whole source."""
    try:
        yield
    except HornbeamError as error:
        row = error.details.get("row")
        if row is None or not first_row:
            raise
        message = error.message.replace(f"row {row}", f"row {row + first_row}")
        details = {**error.details, "row": row + first_row}
        raise type(error)(message, **error.remedy, **details) from None
