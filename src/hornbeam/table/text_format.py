"""TextFormat: how the values of a column are written in a text file, and dates as text.

A model stores the format of each column, so that new files are read as the training file was, and prints the cuts of a
date column as dates. `date` is a format of `datetime.strptime`; it is empty for a column of numbers.
"""

from __future__ import annotations

import dataclasses
import datetime
import math

_EPOCH = datetime.datetime(1970, 1, 1)
ISO_DATE, ISO_TIME = "%Y-%m-%d", "%Y-%m-%d %H:%M:%S"


@dataclasses.dataclass(frozen=True)
class TextFormat:
    """The format of dates, or the decimal mark and the thousands separator of numbers."""

    date: str = ""
    decimal: str = "."
    thousands: str = ""

    @property
    def has_time(self) -> bool:
        """Whether the dates have a time of day."""
        return "%H" in self.date or "%I" in self.date

    def stored(self) -> dict[str, str]:
        """The fields that differ from the default, for a model file; the decimal mark if none does."""
        changed = {name: value for name, value in dataclasses.asdict(self).items() if value != getattr(_DEFAULT, name)}
        return changed or {"decimal": self.decimal}

    def text(self, days: float) -> str:
        """A number of days since 1970-01-01 as an ISO date; a part of a day is dropped if the dates have no time."""
        try:
            moment = _EPOCH + datetime.timedelta(days=days if self.has_time else math.floor(days))
        except (OverflowError, ValueError):
            return f"{days:.6g}"
        if not self.has_time:
            return moment.date().isoformat()
        if moment.microsecond:
            return moment.isoformat(sep=" ").rstrip("0")
        return moment.strftime("%Y-%m-%d %H:%M:%S" if moment.second else "%Y-%m-%d %H:%M")


_DEFAULT = TextFormat()


def is_date(text_format: TextFormat | None) -> bool:
    """Whether a column with this format contains dates."""
    return text_format is not None and text_format.date != ""
