"""How do parts become flags?  Every part declares its settings once; here they turn into flags, by one rule.

    --SORT NAME            chooses a part             --criterion entropy   --stop pure   --pruning pessimistic
    --PART-SETTING VALUE   sets one of its settings   --max-depth 5     --cost-complexity-alpha 0.01

A setting brings its part along: `--max-depth 5` needs no `--stop depth`. Stops add to those of the recipe,
searches replace them. There is no other spelling. Where two shelves have a part of the same name with the same
setting, the flags begin with the sort. Settings that no text can spell (another part) are left to recipes, and
parts that need a Python function to Python.
"""

from __future__ import annotations

import argparse
import types
import typing
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hornbeam.cli.command import Usage
from hornbeam.errors import OptionError, short_repr

if TYPE_CHECKING:
    from hornbeam.options import Setting
    from hornbeam.registry import Registry

GROWING = ("criterion", "search", "missing", "stop", "order", "loss", "pruning", "ensemble")
MANY = ("search", "stop")
WORDS = {
    "criterion": "how good a split is",
    "search": "what may be asked",
    "missing": "what is done when an answer is missing",
    "stop": "when a node is a leaf",
    "order": "which node is next",
    "loss": "what a wrong answer costs and what a leaf says",
    "pruning": "what is cut back",
    "ensemble": "how many trees come about",
}
_HOW = {
    "search": "the search by name, in place of the recipe's; may be repeated",
    "stop": "a stop by name, beside the recipe's; may be repeated",
}


def registries() -> dict[str, Registry[Any]]:
    """All shelves by their sort."""
    from hornbeam.ensembles.methods import ensembles
    from hornbeam.parts.criteria import criteria
    from hornbeam.parts.losses import losses
    from hornbeam.parts.missing import missing
    from hornbeam.parts.orders import orders
    from hornbeam.parts.prunings import prunings
    from hornbeam.parts.searches import searches
    from hornbeam.parts.stops import stops

    found: list[Registry[Any]] = [criteria, searches, missing, stops, orders, losses, prunings, ensembles]
    return {shelf.part_type: shelf for shelf in found}


class Flag(NamedTuple):
    """One setting of one part as a flag."""

    part_type: str
    part: str
    setting: Setting
    name: str
    outer: str = ""  # the setting of the part whose value is a part itself, such as `sampling` of a forest

    @property
    def path(self) -> str:
        """The name of the setting; with the outer one if it is a setting of a nested part."""
        return f"{self.outer}.{self.setting.name}" if self.outer else self.setting.name

    @property
    def place(self) -> str:
        """Where argparse keeps it."""
        return f"{self.part_type}.{self.part}.{self.path}"


def flags_of(sorts: Sequence[str]) -> list[Flag]:
    """The flags of every setting of every part of these types; the first setting of a stop has the stop's own name."""
    from hornbeam.options import settings_of

    known = registries()
    everything = [
        (sort, part.name, outer, setting)
        for sort, shelf in known.items()
        for part in shelf
        for outer, setting in _flat_settings(part)
        if not any(each.type is Any for each in settings_of(part))
    ]
    firsts = {
        (sort, part.name): settings_of(part)[0] for sort in ("stop",) for part in known[sort] if settings_of(part)
    }
    spelled = [
        _spelt(part, "" if setting == firsts.get((sort, part)) else f"{outer}-{setting.name}".lstrip("-"))
        for sort, part, outer, setting in everything
    ]
    counted = Counter(spelled)
    flags = []
    for (sort, part, outer, setting), name in zip(everything, spelled, strict=True):
        if sort in sorts and _is_spellable(setting.type):
            flags.append(Flag(sort, part, setting, f"--{sort}-{name[2:]}" if counted[name] > 1 else name, outer))
    return flags


def add_part_flags(parser: argparse.ArgumentParser, sorts: Sequence[str]) -> None:
    """Add the flags of these sorts to a verb."""
    known = registries()
    flags = flags_of(sorts)
    for sort in sorts:
        names = ", ".join(known[sort].names())
        group = parser.add_argument_group(f"{sort}: {WORDS[sort]}", f"`hornbeam parts NAME` explains one of: {names}")
        how = "append" if sort in MANY else "store"
        group.add_argument(
            f"--{sort}", dest=f"part.{sort}", metavar="NAME", action=how, help=_HOW.get(sort, f"the {sort} by name")
        )
        if sort == "stop":
            group.add_argument(
                "--without-stop", metavar="NAME", action="append", help="leave out one of the recipe's stops"
            )
        for flag in (each for each in flags if each.part_type == sort):
            group.add_argument(flag.name, dest=flag.place, metavar=_metavar(flag.setting), help=help_of(flag.setting))


def chosen_parts(args: argparse.Namespace, sorts: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The parts that the flags ask for, by sort, as tables of name and settings."""
    given = vars(args)
    found: dict[str, list[dict[str, Any]]] = {}
    for sort in sorts:
        named = given.get(f"part.{sort}") or []
        names = [named] if isinstance(named, str) else list(named)
        tables = {name: {"name": name} for name in names}
        for flag in flags_of([sort]):
            if given.get(flag.place) is None:
                continue
            if flag.part not in tables and names and sort not in MANY:
                raise Usage(
                    f"{flag.name} is a setting of {flag.part}, and the {sort} chosen is {short_repr(names[0])}.",
                    hint=f"Say --{sort} {flag.part}, or leave {flag.name} out.",
                    option=flag.name,
                )
            table: dict[str, Any] = tables.setdefault(flag.part, {"name": flag.part})
            table = table.setdefault(flag.outer, {}) if flag.outer else table
            table[flag.setting.name] = _value(flag.setting.type, given[flag.place])
        if len(tables) > 1 and sort not in MANY:
            raise Usage(f"Only one {sort} can be used; got settings of {' and '.join(tables)}.", option=f"--{sort}")
        if tables:
            found[sort] = list(tables.values())
    return found


def part_of(shelf: Registry[Any], table: Mapping[str, Any], base: Any = None) -> Any:
    """The part of a table; settings left out are those of `base` when it is the same part."""
    settings = {key: value for key, value in table.items() if key != "name"}
    try:
        if base is None or base.name != table["name"]:
            return shelf.part(table)
        return base.replace(**{key: _changed(getattr(base, key, None), value) for key, value in settings.items()})
    except OptionError as error:
        names = {flag.setting.name: flag.name for flag in flags_of([shelf.part_type]) if flag.part == table["name"]}
        flag = names.get(str(error.details.get("option")))
        if flag is None:
            raise
        hint = f"It is set by {flag}; `hornbeam parts {table['name']}` explains it."
        raise OptionError(error.message, hint=error.hint or hint, **{**error.details, "option": flag}) from None


def _flat_settings(part: Any) -> list[tuple[str, Setting]]:
    """The settings of a part, those of its nested parts with the name of the outer setting."""
    from hornbeam.options import Part, settings_of

    flat: list[tuple[str, Setting]] = []
    for setting in settings_of(part):
        is_nested = isinstance(setting.type, type) and issubclass(setting.type, Part) and bool(setting.type.name)
        flat += [(setting.name, inner) for inner in settings_of(setting.type)] if is_nested else [("", setting)]
    return flat


def _changed(old: Any, value: Any) -> Any:
    """The value of a setting; a table for a nested part changes some of its settings."""
    from hornbeam.options import Part

    return old.replace(**value) if isinstance(old, Part) and isinstance(value, Mapping) else value


def _spelt(part: str, setting: str) -> str:
    return f"--{part}-{setting}".rstrip("-").replace("_", "-")


def _members(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if typing.get_origin(kind) in (types.UnionType, typing.Union) else (kind,)


def _is_spellable(kind: Any) -> bool:
    from hornbeam.options import Part

    members = [each for each in _members(kind) if not (isinstance(each, type) and issubclass(each, Part))]
    plain = (int, float, bool, str, type(None))
    return bool(members) and all(
        member in plain or typing.get_origin(member) in (tuple, dict, Mapping) or member in (dict, Mapping)
        for member in members
    )


def _metavar(setting: Setting) -> str:
    if setting.option.choices:
        return "{" + ",".join(map(str, setting.option.choices)) + "}"
    members = _members(setting.type)
    for kind, word in ((bool, "{true,false}"), (int, "N"), (float, "X"), (str, "TEXT")):
        if kind in members:
            return word
    lists = [member for member in members if typing.get_origin(member) is tuple]
    return "A,B,..." if lists and not _is_table(typing.get_args(lists[0])[0]) else "JSON"


def help_of(setting: Setting) -> str:
    """A setting in words: what it is, its limits, its default."""
    limits = "" if setting.option.choices else setting.option.limits()
    metadata = [f"must {limits}"] if limits else []
    metadata.append(f"default: {default_text(setting.default)}")
    return f"{setting.option.text} ({'; '.join(metadata)})".replace("%", "%%")


def default_text(value: Any) -> str:
    """A default as it would be typed."""
    if value is None or value == ():
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(kind: Any, text: str) -> Any:
    """A typed word as the value of a setting; what cannot be understood stays text, and the part says what it wants."""
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
            return tuple(_value(inner, each.strip()) for each in text.split(",") if each.strip())
        if _is_table(member):
            return json_value(text)
    return text


def _is_table(member: Any) -> bool:
    return member in (dict, Mapping) or typing.get_origin(member) in (dict, Mapping)


def json_value(text: str) -> Any:
    """The value that a JSON text stands for."""
    import json

    try:
        return json.loads(text)
    except ValueError as error:
        raise Usage(f"A table is written as JSON; got {short_repr(text)}: {error}.", got=text) from None
