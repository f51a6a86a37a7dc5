"""Plain values as TOML, written and read.

Written: one key per line, inner tables inline, lists of tables with one table per line. Read: a regular file of at most
4 MB; whatever is wrong with it, also nesting without end, is a `DataFileError`.
"""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbeam.errors import DataFileError, OptionError, short_repr

_LARGEST = 1 << 22


def read_toml(path: str | os.PathLike[str], label: str) -> dict[str, Any]:
    """The values of a TOML file."""
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:
            limit = f"it must be a regular file of at most {_LARGEST} bytes"
            raise DataFileError(f"{label} cannot be read: {limit}.", path=os.fspath(path))
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataFileError(f"{label} cannot be read: {error}.", path=os.fspath(path)) from error
    return parsed_toml(text, label)


def parsed_toml(text: str, label: str) -> dict[str, Any]:
    """The values of a TOML file's text."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{label} is not valid TOML: {error}.", hint="Correct that line.") from error
    except RecursionError:
        raise DataFileError(f"{label} is nested too deeply.") from None


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
    raise OptionError(f"{short_repr(value)} ({type(value).__name__}) cannot be written as TOML.")


def _quoted(text: str) -> str:
    """Text between quotes: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
