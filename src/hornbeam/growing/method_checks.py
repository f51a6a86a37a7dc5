"""Checks of the settings of a method that are not parts: choices, tables of numbers, kinds of questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.tree.questions import question_kinds


def check_choice(name: str, value: Any, known: tuple[str, ...], none: bool = False) -> None:
    """Raise an OptionError unless the value is one of the names, a table by class, or None where that is allowed."""
    is_text = name in ("weights", "unseen")
    if isinstance(value, Mapping) and not is_text:
        return
    if (value is None and none) or (isinstance(value, str) and value in known):
        return
    table = "" if is_text else " or a table by class"
    raise OptionError(
        f"{name} must be one of {', '.join(known)}{table}; got {short_repr(value)}.",
        option=name,
        got=value,
    )


def check_numbers(name: str, value: Any, above: bool = False) -> None:
    """Raise an OptionError unless a table contains numbers of 0 or more (or above 0)."""
    if value is None or isinstance(value, str):
        return
    if not isinstance(value, Mapping):
        raise OptionError(
            f"{name} must be a table from names to numbers, got {short_repr(value)}.", option=name, got=value
        )
    for key, number in value.items():
        good = isinstance(number, (int, float)) and not isinstance(number, bool) and 0 <= number < float("inf")
        if not good or (above and number == 0):
            limit = "above 0" if above else "of 0 or more"
            raise OptionError(
                f"{name}[{short_repr(key)}] must be a number {limit}, got {short_repr(number)}.",
                option=name,
                got=number,
            )


def check_kinds(penalty: Mapping[str, float] | None) -> None:
    """Raise an OptionError if a penalty names an unknown kind of question."""
    for kind in penalty or {}:
        if kind not in question_kinds():
            raise OptionError(
                f"split_penalty names {short_repr(kind)}, which is not a kind of question.",
                hint=did_you_mean(kind, question_kinds()),
                option="split_penalty",
            )
