"""What can go wrong, and what does the user read then?

    HornbeamError
    ├── InputError (also ValueError)       data handed over in Python: arrays, frames, targets, weights
    ├── OptionError (also ValueError)      a setting out of range, misspelt, or one that does not suit another
    ├── NotFittedError (also ValueError, AttributeError)
    ├── DataFileError                      a data file that cannot be read as it stands
    ├── ModelFileError                     a model file that is damaged, foreign or from the future
    ├── OutputError                        a file that cannot be written
    ├── MemoryLimitError (also MemoryError) the job would not fit; carries the estimate
    └── Cancelled                          stopped by the user

Every error is one sentence that says what, where, what was got and what is accepted; `hint` says what to do, and the
facts ride along as attributes (`error.details["column"]`). Values longer than 60 characters are cut.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

_LONGEST = 60


class HornbeamError(Exception):
    """The root of every error raised on purpose."""

    def __init__(self, message: str, *, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self), self.message, self.hint, self.details))


def _rebuilt(kind: type[HornbeamError], message: str, hint: str, details: dict[str, Any]) -> HornbeamError:
    return kind(message, hint=hint, **details)


class InputError(HornbeamError, ValueError):
    """Data handed over in Python cannot be used."""


class OptionError(HornbeamError, ValueError):
    """A setting is wrong, or does not suit another."""


class NotFittedError(HornbeamError, ValueError, AttributeError):
    """Something was asked of a model that has not been grown."""


class DataFileError(HornbeamError):
    """A data file cannot be read."""


class ModelFileError(HornbeamError):
    """A model file is damaged, foreign or too new."""


class OutputError(HornbeamError):
    """A file cannot be written."""


class MemoryLimitError(HornbeamError, MemoryError):
    """The job needs more memory than there is."""


class Cancelled(HornbeamError):  # noqa: N818 - the name users read
    """The user stopped the job."""


class HornbeamWarning(UserWarning):
    """Something odd that the job can live with, and that the user should know."""


def short_repr(value: object, longest: int = _LONGEST) -> str:
    """A value as it stands in a message: quoted text, control characters escaped, cut when long."""
    try:
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    except Exception:  # nested without end, or a __repr__ that fails
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known words closest to a misspelt one."""
    names = list(known)
    folded = {name.casefold(): name for name in reversed(names)}
    close = difflib.get_close_matches(str(word).casefold(), list(folded), n=most, cutoff=0.6)
    return [folded[name] for name in close]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known words, or all of them when there are few."""
    names = list(known)
    close = nearest(word, names)
    if close:
        return f"Did you mean {' or '.join(map(short_repr, close))}?"
    if len(names) <= 12:
        return f"Known are: {', '.join(names)}." if names else ""
    return f"Known are: {', '.join(names[:12])} and {len(names) - 12} more."
