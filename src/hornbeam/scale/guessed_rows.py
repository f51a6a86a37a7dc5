"""New rows whose types are guessed from the first rows, and read again by all rows if the guess was wrong.

The types of JSON lines and of SQLite depend on all rows. Most files keep to the types of their first rows, so these are
read once. A row of another type, a key that the first rows lack, or any error discards what was read, and the exact
source, which looks at all rows first, reads them again; so the results are always those of the exact source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from hornbeam.errors import HornbeamError, InputError
from hornbeam.scale.matched_rows import MatchedRows, ReadAgain, ReadAtOnce
from hornbeam.scale.sources import RowSource
from hornbeam.table.table import Schema


class WrongGuess(Exception):  # noqa: N818 - a request, not an error
    """The rows do not have the types of the first rows."""


class Reader(Protocol):
    """Rows of a source of typed columns, matched to the columns of a model."""

    def matched(self, schema: Schema, keep: Sequence[str] = (), option: str = "keep") -> Iterator[MatchedRows]:
        """The rows."""


class GuessedRows:
    """Rows of `guess` until it is wrong, then of the source that `exact` returns; None if that is read at once."""

    def __init__(
        self,
        guess: RowSource,
        exact: Callable[[], RowSource | None],
        reader: Callable[[RowSource, Mapping[str, Any]], Reader],
        settings: Mapping[str, Any],
    ) -> None:
        self.may_read_again = True
        self._source = guess
        self._exact, self._reader, self._settings = exact, reader, settings

    @property
    def label(self) -> str:
        """The name of the source in messages."""
        return self._source.label

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self._source.names

    @property
    def n_rows(self) -> int | None:
        """The number of rows, None if it is unknown before they are read."""
        return self._source.n_rows

    def matched(self, schema: Schema, keep: Sequence[str] = (), option: str = "keep") -> Iterator[MatchedRows]:
        """The rows, matched to the columns of a model."""
        rows = self._reader(self._source, self._settings).matched(schema, keep, option)
        if not self.may_read_again:
            yield from rows
            return
        try:
            yield from rows
        except (WrongGuess, HornbeamError):
            self.may_read_again = False
            exact = self._exact()
            if exact is None:
                reason = InputError(f"{self.label} cannot be read in batches, and does not fit into memory.")
                raise ReadAtOnce(reason) from None
            self._source = exact
            raise ReadAgain from None

    def close(self) -> None:
        """Nothing is open between batches."""
