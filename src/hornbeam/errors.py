"""Errors raised on purpose, and the fixes that they recommend.

    HornbeamError
    ├── InputError (also ValueError)       data passed in Python: arrays, frames, targets, weights
    ├── OptionError (also ValueError)      a setting is out of range, misspelled, or incompatible with another
    ├── NotFittedError (also ValueError, AttributeError)
    ├── DataFileError                      a data file that cannot be read
    ├── ModelFileError                     a model file that is damaged, of another program, or too new
    ├── OutputError                        a file that cannot be written
    ├── ClusterError                       the scheduler or the workers of a cluster are lost, or do not answer
    ├── MemoryLimitError (also MemoryError) the job needs more memory than is available; carries the estimate
    └── Cancelled                          stopped by the user

The message is one sentence: what is wrong, where, what was received and what is accepted. `fix` lists settings that
solve the problem, as data (`Set`), so that each interface spells them its own way: an argument in Python, a flag on the
command line. `hint` is the advice as a Python user reads it: the fixes and any further text. Other details are stored
under their names (`error.details["column"]`). Values longer than 60 characters are truncated.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_LONGEST = 60


@dataclass(frozen=True)
class Set:
    """A setting that solves a problem: `Set("encoding", "latin-1")`.

    Without a value, the user chooses one. `impute.method` is the setting `method` of the part `impute`. `inside` names
    the class or function that takes the setting (`Set("folds", inside="PruningData")`); `purpose` states what it
    achieves.
    """

    setting: str
    value: Any = ...
    purpose: str = ""
    inside: str = ""


# How an interface spells a fix: the text before the value, the value, the text after it; None without such a setting.
Spelling = Callable[[Set], tuple[str, str, str] | None]


def as_argument(fix: Set) -> tuple[str, str, str]:
    """A fix as an argument of a Python call."""
    part, _, setting = fix.setting.rpartition(".")
    value = "..." if fix.value is ... else short_repr(fix.value)
    if fix.inside[:1].isupper():
        return f"{fix.inside}({setting}=", value, ")"
    owner = fix.inside or part
    return f"{setting}=", value, f" to {owner}" if owner else ""


def advice(fixes: Iterable[Set], hint: str = "", spelling: Spelling = as_argument) -> str:
    """The sentence that recommends the fixes, then the hint; a hint that begins with "or " continues the sentence."""
    choices: dict[tuple[str, str], list[str]] = {}
    for fix in fixes:
        spelled = spelling(fix)
        if spelled is not None:
            head, value, tail = spelled
            choices.setdefault((head, f"{tail} {fix.purpose}".rstrip()), []).append(value)
    texts = [f"{head}{_alternatives(values)}{tail}" for (head, tail), values in choices.items()]
    sentence = f"Pass {', or '.join(texts)}" if texts else ""
    if hint.startswith("or "):
        return f"{sentence}, {hint}" if sentence else f"{hint[3:4].upper()}{hint[4:]}"
    end = "" if not sentence or sentence.endswith("...") else "."
    return f"{sentence}{end} {hint}".strip()


def _alternatives(values: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(values[:-1]), values[-1])))


class HornbeamError(Exception):
    """The base of every error raised on purpose."""

    def __init__(self, message: str, *, hint: str = "", fix: Set | Sequence[Set] = (), **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.fix: tuple[Set, ...] = (fix,) if isinstance(fix, Set) else tuple(fix)
        self.more_hint = hint
        self.details = details

    @property
    def hint(self) -> str:
        """The advice as a Python user reads it."""
        return advice(self.fix, self.more_hint)

    @property
    def remedy(self) -> dict[str, Any]:
        """The arguments `hint` and `fix`, for an error that replaces this one."""
        return {"hint": self.more_hint, "fix": self.fix}

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.message, self.remedy, self.details))


def _rebuild(kind: type[HornbeamError], message: str, remedy: dict[str, Any], details: dict[str, Any]) -> HornbeamError:
    return kind(message, **remedy, **details)


class InputError(HornbeamError, ValueError):
    """Data passed in Python cannot be used."""


class OptionError(HornbeamError, ValueError):
    """A setting is wrong, or incompatible with another."""


class NotFittedError(HornbeamError, ValueError, AttributeError):
    """A model was used before it was grown."""


class DataFileError(HornbeamError):
    """A data file cannot be read."""


class ModelFileError(HornbeamError):
    """A model file is damaged, of another program, or too new."""


class OutputError(HornbeamError):
    """A file cannot be written."""


class ClusterError(HornbeamError):
    """The scheduler or the workers of a cluster are lost, or do not answer."""


class MemoryLimitError(HornbeamError, MemoryError):
    """The job needs more memory than is available."""


class Cancelled(HornbeamError):  # noqa: N818 - the name users read
    """The user stopped the job."""


class HornbeamWarning(UserWarning):
    """An unexpected condition that does not stop the job."""


def short_repr(value: object, longest: int = _LONGEST) -> str:
    """A value as messages show it: text quoted, control characters escaped, truncated when long."""
    try:
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    except Exception:  # nested without end, or a __repr__ that fails
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names closest to a misspelled one."""
    names = list(known)
    folded = {each.casefold(): each for each in reversed(names)}
    close = difflib.get_close_matches(str(name).casefold(), list(folded), n=most, cutoff=0.6)
    return [folded[each] for each in close]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the closest known names, or with the first twelve when none is close."""
    names = list(known)
    close = nearest(name, names)
    if close:
        return f"Did you mean {' or '.join(map(short_repr, close))}?"
    return available(names)


def available(names: Sequence[str], most: int = 12) -> str:
    """A hint that lists the accepted names."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"Available: {', '.join(names[:most])}{more}." if names else ""
