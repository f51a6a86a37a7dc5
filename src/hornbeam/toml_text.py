"""How are plain values written as TOML?  One key a line; tables inside are inline, lists of tables one table a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hornbeam.errors import OptionError, shown


def toml_text(table: Mapping[str, Any]) -> str:
    """The text of a TOML file that reads back as the table."""
    return "".join(f"{_key(key)} = {_value(value, wide=True)}\n" for key, value in table.items())


def _key(key: Any) -> str:
    text = str(key)
    plain = text and all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in text)
    return text if plain else _quoted(text)


def _value(value: Any, wide: bool = False) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        inside = [_value(each) for each in value]
        if wide and any(isinstance(each, Mapping) for each in value):
            return "[\n" + "".join(f"    {each},\n" for each in inside) + "]"
        return f"[{', '.join(inside)}]"
    raise OptionError(f"{shown(value)} ({type(value).__name__}) cannot be written as TOML.")


def _quoted(text: str) -> str:
    """Text between quotes: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
