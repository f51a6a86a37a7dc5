"""Names that the arrays of a tree store as numbers: the reasons of leaves and the kinds of questions.

Both sets are open: a tree holds a table of names next to its numbers, and a model file holds the names in use. The
tables below are the start of every such table. They are also the numbers of the compiled core (`Reason` in
native/nodes/stop_rules.hpp, native/core/question_kinds.hpp), so arrays that the core returns need no translation; their
order must stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hornbeam.errors import InputError, short_repr

REASONS = (
    "",
    "pure",
    "identical rows",
    "no improvement",
    "depth",
    "below min_split",
    "below min_leaf",
    "at most eta rows",
    "purity",
    "min gain",
    "min decrease",
    "leaves",
    "nodes",
    "no attributes left",
    "empty",
    "pruned",
    "collapsed",
    "not significant",
    "validation",
    "by hand",
    "penalized size",
)

KINDS = (
    "threshold",
    "intervals",
    "subset",
    "multiway",
    "is_missing",
    "hyperplane",
    "sphere",
    "combined",
)

MAX_NAMES = 127  # numbers are int8
MAX_LENGTH = 200


def check_name(name: Any) -> None:
    """Raise if a reason or a kind of question cannot have this name."""
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= MAX_LENGTH:
        raise InputError(f"A name must be printable text of 1 to {MAX_LENGTH} characters; got {short_repr(name)}.")


def extend_names(known: tuple[str, ...], names: Iterable[str]) -> tuple[str, ...]:
    """The table `known`, with the names that it lacks appended in sorted order."""
    new = sorted(set(names).difference(known))
    for name in new:
        check_name(name)
    if len(known) + len(new) > MAX_NAMES:
        raise InputError(f"A tree can have {MAX_NAMES} different names of reasons or kinds of questions.")
    return (*known, *new) if new else known
