"""Names and values as SQL text, quoted so that nothing in them is read as SQL."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from typing import Any

from hornbeam.errors import InputError, short_repr
from hornbeam.table.readers import sql

ALWAYS, NEVER = "1 = 1", "1 = 0"


def identifier(name: str) -> str:
    """A column's name in double quotes."""
    return sql.identifier(_checked(name))


def literal(value: Any) -> str:
    """A value: text in single quotes, numbers as they are, dates as their ISO text."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, datetime.date | datetime.time):
        value = value.isoformat()
    return sql.literal(_checked(str(value)))


def number(value: float) -> str:
    """A number as a double: with an exponent, so that no database reads it as a decimal."""
    if not math.isfinite(value):
        raise InputError(f"SQL cannot represent the number {value}.")
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def is_in(name: str, values: Iterable[Any]) -> str:
    """A column is one of some values; false if there are none."""
    listed = ", ".join(literal(value) for value in values)
    return f"{name} IN ({listed})" if listed else NEVER


def _checked(text: str) -> str:
    if "\0" in text:
        raise InputError(f"SQL text cannot contain a NUL character: {short_repr(text)}.")
    return text
