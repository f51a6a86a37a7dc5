"""Settings of parts as text: what the help shows, and typed text as a value."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage
from hornbeam.errors import short_repr

if TYPE_CHECKING:
    from hornbeam.options import Setting


def _members(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if typing.get_origin(kind) in (types.UnionType, typing.Union) else (kind,)


def is_spellable(kind: Any) -> bool:
    """Whether text on the command line can express every value of a type."""
    from hornbeam.options import Part

    members = [each for each in _members(kind) if not (isinstance(each, type) and issubclass(each, Part))]
    scalars = (int, float, bool, str, type(None))
    return bool(members) and all(
        member in scalars or typing.get_origin(member) in (tuple, dict, Mapping) or member in (dict, Mapping)
        for member in members
    )


def metavar_of(setting: Setting) -> str:
    """What the help shows in place of the value."""
    if setting.option.choices:
        return "{" + ",".join(map(str, setting.option.choices)) + "}"
    members = _members(setting.type)
    for kind, text in ((bool, "{true,false}"), (int, "N"), (float, "X"), (str, "TEXT")):
        if kind in members:
            return text
    lists = [member for member in members if typing.get_origin(member) is tuple]
    return "A,B,..." if lists and not _is_table(typing.get_args(lists[0])[0]) else "JSON"


def help_of(setting: Setting) -> str:
    """The help of a setting: its description, limits and default."""
    limits = "" if setting.option.choices else setting.option.limits()
    details = [f"must {limits}"] if limits else []
    details.append(f"default: {default_text(setting.default)}")
    return f"{setting.option.text} ({'; '.join(details)})".replace("%", "%%")


def default_text(value: Any) -> str:
    """A default as it would be typed."""
    if value is None or value == ():
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_of(kind: Any, text: str) -> Any:
    """Typed text as the value of a setting; text that does not convert is returned, and the part rejects it."""
    if text == "none" and type(None) in _members(kind):
        return None
    for member in _members(kind):
        if member is bool and text in ("true", "false"):
            return text == "true"
        if member in (int, float):
            try:
                return member(text)
            except ValueError:
                continue
        if typing.get_origin(member) is tuple:
            inner = typing.get_args(member)[0]
            if _is_table(inner):
                return json_value(text) if text.strip() else ()
            return tuple(value_of(inner, each.strip()) for each in text.split(",") if each.strip())
        if _is_table(member):
            return json_value(text)
    return text


def _is_table(member: Any) -> bool:
    return member in (dict, Mapping) or typing.get_origin(member) in (dict, Mapping)


def json_value(text: str) -> Any:
    """The value of a JSON text."""
    import json

    try:
        return json.loads(text)
    except ValueError as error:
        raise Usage(f"A table must be valid JSON, got {short_repr(text)}: {error}.", got=text) from None
