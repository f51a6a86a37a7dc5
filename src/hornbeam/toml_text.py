"""Reads and writes TOML.

Output: one key per line, inner tables inline, lists of tables with one table per line. Input: a regular file of at most
4 MB; every problem with it, including excessive nesting, raises `DataFileError`.
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

_MAX_BYTES = 1 << 22


def read_toml(path: str | os.PathLike[str], label: str) -> dict[str, Any]:
    """The values of a TOML file."""
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MAX_BYTES:
            raise DataFileError(f"{label} must be a regular file of at most {_MAX_BYTES} bytes.", path=os.fspath(path))
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataFileError(f"{label} cannot be read: {error}.", path=os.fspath(path)) from error
    return parsed_toml(text, label)


def parsed_toml(text: str, label: str) -> dict[str, Any]:
    """The values of a TOML document."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{label} is not valid TOML: {error}.", hint="Correct that line.") from error
    except RecursionError:
        raise DataFileError(f"{label} is nested too deeply.") from None


def toml_text(table: Mapping[str, Any]) -> str:
    """A TOML document with the values of the table."""
    return "".join(f"{_key(key)} = {_value(value, wide=True)}\n" for key, value in table.items())


def _key(key: Any) -> str:
    text = str(key)
    is_bare = text and all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in text)
    return text if is_bare else _quoted(text)


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
    """Quoted text: TOML has the escapes of JSON, except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
