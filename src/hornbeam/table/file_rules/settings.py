"""The settings of the rules, and what the other columns of a file say about its decimal mark."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.table.dates import checked_format

THOUSANDS = ("", ".", ",", "'", "\u2019", " ", "\u00a0", "\u202f")


@dataclasses.dataclass(frozen=True)
class FileSettings:
    """How the texts of a file are read; None means that it is inferred.

    `na_values` are texts that mean missing, in addition to the default texts if `keep_default_na`.
    """

    decimal: str | None = None
    thousands: str | None = None
    date_format: str | Mapping[str, str] | None = None
    na_values: Collection[str] = ()
    keep_default_na: bool = True
    keep_blanks: bool = False
    keep_ids: bool = False

    def date_format_of(self, name: str) -> str | None:
        """The format of dates that is given for a column."""
        given = self.date_format
        return given.get(name) if isinstance(given, Mapping) else given

    @property
    def reading(self) -> dict[str, Any]:
        """The settings that the reader of a text file needs."""
        return {"decimal": self.decimal, "thousands": self.thousands}


def file_settings(**given: Any) -> FileSettings:
    """Checked settings."""
    thousands, dates = given.get("thousands"), given.get("date_format")
    if thousands is not None and thousands not in THOUSANDS:
        raise OptionError(
            f"thousands must be one of '.', ',', an apostrophe, a blank or '' for none, got {short_repr(thousands)}.",
            option="thousands",
        )
    if thousands and thousands == given.get("decimal"):
        raise OptionError(f"thousands and decimal must differ, got {short_repr(thousands)} for both.", option="decimal")
    if isinstance(dates, Mapping):
        dates = {name: checked_format(each) for name, each in dates.items()}
    elif dates is not None:
        dates = checked_format(dates)
    return FileSettings(**{**given, "date_format": dates, "na_values": tuple(given.get("na_values") or ())})
