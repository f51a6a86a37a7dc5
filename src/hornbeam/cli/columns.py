"""Lists of columns on the command line: `--columns age,sex`, `--drop id --drop name`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def listed_columns(given: Iterable[str] | None, names: Sequence[str]) -> list[str]:
    """The columns that the values of a repeatable flag list; a value that is a column name is not split at commas."""
    found: list[str] = []
    for each in given or ():
        found += [each] if each in names else [name for name in (part.strip() for part in each.split(",")) if name]
    return list(dict.fromkeys(found))
