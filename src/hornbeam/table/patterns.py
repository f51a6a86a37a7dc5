"""The files that a path, a pattern or a list of them stands for, in a defined order."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hornbeam.errors import DataFileError, InputError, short_repr

_SIGNS = "*?["


def is_path(source: Any) -> bool:
    """Whether a source is a path, a pattern, or a list of them."""
    if isinstance(source, (str, os.PathLike)):
        return True
    return isinstance(source, (list, tuple)) and bool(source) and all(isinstance(x, (str, os.PathLike)) for x in source)


def expand_patterns(source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files of a source; a pattern is replaced by the files that match, sorted. A path that exists is literal.

    A file that is given twice is an error: its rows would count twice.
    """
    given = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    found: list[str] = []
    for path in given:
        each = os.fspath(path)
        is_pattern = each != "-" and "::" not in each and any(sign in each for sign in _SIGNS)
        if not is_pattern or os.path.lexists(each):
            found.append(each)
            continue
        files = sorted(glob.glob(os.path.expanduser(each), recursive=True))
        if not files:
            raise DataFileError(f"No file matches {short_repr(each, 300)}.", path=each)
        found += files
    repeated = [path for path, count in Counter(map(os.path.abspath, found)).items() if count > 1]
    if repeated and repeated != [os.path.abspath("-")]:
        raise InputError(
            f"The file {short_repr(repeated[0], 300)} is given more than once.",
            hint="Name it once; weights count rows more often.",
            path=repeated[0],
        )
    return found
