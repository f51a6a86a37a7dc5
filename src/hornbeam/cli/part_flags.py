"""Flags of parts: each part declares its settings once, and one rule turns them into flags.

    --TYPE NAME            chooses a part             --criterion entropy   --stop pure   --pruning pessimistic
    --PART-SETTING VALUE   sets one of its settings   --max-depth 5     --cost-complexity-alpha 0.01

A setting implies its part: `--max-depth 5` needs no `--stop max_depth`. Stops are added to those of the recipe,
searches replace them. There is no other spelling. If two part types have a part of the same name with the same setting,
the flags begin with the part type. Settings that text cannot express (another part) are left to recipes, and parts that
need a Python function to Python.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hornbeam.cli.command import Parser, Usage
from hornbeam.cli.setting_text import help_of, is_spellable, metavar_of, value_of
from hornbeam.errors import OptionError, short_repr

if TYPE_CHECKING:
    from hornbeam.options import Part, Setting
    from hornbeam.registry import Registry

GROWING = ("criterion", "search", "missing", "stop", "order", "loss", "probabilities", "pruning", "ensemble")
MANY = ("search", "stop")
SUMMARIES = {
    "criterion": "scores the candidate splits",
    "search": "generates the candidate splits",
    "missing": "handles missing values",
    "stop": "turns a node into a leaf",
    "order": "selects the next node to split",
    "loss": "defines the cost of an error and the prediction of a leaf",
    "probabilities": "estimates the class probabilities of a node",
    "pruning": "removes branches of the grown tree",
    "ensemble": "grows many trees",
}
_HELP = {
    "search": "name of a search, instead of the recipe's searches; may be repeated",
    "probabilities": "name of the estimate",
    "stop": "name of a stop, in addition to the recipe's stops; may be repeated",
}


def registries() -> dict[str, Registry[Any]]:
    """The registries of all part types."""
    from hornbeam.ensembles.methods import ensembles
    from hornbeam.parts.criteria import criteria
    from hornbeam.parts.losses import losses
    from hornbeam.parts.missing import missing
    from hornbeam.parts.orders import orders
    from hornbeam.parts.prunings import prunings
    from hornbeam.parts.searches import searches
    from hornbeam.parts.stops import stops
    from hornbeam.tree.probabilities import probabilities

    growing: list[Registry[Any]] = [criteria, searches, missing, stops, orders, losses, probabilities]
    found = [*growing, prunings, ensembles]
    return {registry.part_type: registry for registry in found}


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
    def dest(self) -> str:
        """The name under which argparse stores it."""
        return f"{self.part_type}.{self.part}.{self.path}"


def flags_of(part_types: Sequence[str]) -> list[Flag]:
    """The flags of all settings of all parts of these types."""
    parts = [(part_type, part) for part_type, registry in registries().items() for part in registry]
    return [flag for flag in _flags(parts) if flag.part_type in part_types]


def flags_of_part(name: str, part_types: Sequence[str] = GROWING) -> list[Flag]:
    """The flags of the parts of this name."""
    flags = _flags_near(_dashed(name))
    if not any(flag.part == name for flag in flags):
        flags = flags_of(part_types)  # a part of another package, or one without settings
    return [flag for flag in flags if flag.part == name and flag.part_type in part_types]


def _flags_near(name: str) -> list[Flag]:
    """The flags of the parts whose names are a beginning of this text, or the reverse: no other flag can equal them.

    The parts are found by the names of their modules, so that the others are not imported.
    """
    parts: list[tuple[str, type[Part]]] = []
    for part_type, registry in registries().items():
        for module in pkgutil.iter_modules(importlib.import_module(registry.package).__path__):
            dashed = _dashed(module.name)
            if name.startswith(dashed) or dashed.startswith(name):
                with contextlib.suppress(OptionError):  # a module without a part
                    parts.append((part_type, registry.part_class(module.name)))
    return _flags(parts)


def _flags(parts: Iterable[tuple[str, type[Part]]]) -> list[Flag]:
    """The flags of parts; the first setting of a stop has the stop's own name."""
    from hornbeam.options import settings_of

    spelled = []
    for part_type, part in parts:
        if any(setting.type is Any for setting in settings_of(part)):
            continue
        for index, (outer, setting) in enumerate(_flat_settings(part)):
            names = [part.name] if part_type == "stop" and index == 0 else [part.name, outer, setting.name]
            name = _dashed("-".join(filter(None, names)))
            spelled.append(Flag(part_type, part.name, setting, name, outer))
    counted = Counter(flag.name for flag in spelled)
    return [
        flag._replace(name=f"--{flag.part_type}-{flag.name}" if counted[flag.name] > 1 else f"--{flag.name}")
        for flag in spelled
        if is_spellable(flag.setting.type)
    ]


def _flat_settings(part: type[Part]) -> list[tuple[str, Setting]]:
    """The settings of a part, those of its nested parts with the name of the outer setting."""
    from hornbeam.options import Part, settings_of

    flat: list[tuple[str, Setting]] = []
    for setting in settings_of(part):
        is_nested = isinstance(setting.type, type) and issubclass(setting.type, Part) and bool(setting.type.name)
        flat += [(setting.name, inner) for inner in settings_of(setting.type)] if is_nested else [("", setting)]
    return flat


class PartFlags:
    """The flags of some part types, added to a parser when they are needed."""

    def __init__(self, parser: argparse.ArgumentParser, part_types: Sequence[str]) -> None:
        self.part_types = part_types
        self.groups = {
            part_type: parser.add_argument_group(f"{part_type} ({SUMMARIES[part_type]})") for part_type in part_types
        }
        self.added: set[str] = set()
        self.is_complete = False
        for part_type, group in self.groups.items():
            action = "append" if part_type in MANY else "store"
            text = _HELP.get(part_type, f"name of the {part_type}")
            group.add_argument(f"--{part_type}", dest=f"part.{part_type}", metavar="NAME", action=action, help=text)
            if part_type == "stop":
                group.add_argument(
                    "--without-stop", metavar="NAME", action="append", help="remove a stop of the recipe"
                )

    def add_named(self, names: Sequence[str]) -> None:
        """Add the flags among these names."""
        near = [flag for name in names for text in _stems(name) for flag in _flags_near(text) if flag.name == name]
        self._add(sorted(near, key=lambda flag: flag.dest))
        if not {flag.name for flag in near}.issuperset(names):
            self.add_all()  # a part of another package has the flag, or the error names the closest one

    def add_all(self) -> None:
        """Add the remaining flags, and the names of the parts to the help."""
        if self.is_complete:
            return
        self.is_complete = True
        known = registries()
        for part_type, group in self.groups.items():
            names = ", ".join(known[part_type].names())
            group.description = f"`hornbeam parts NAME` describes one of: {names}"
        self._add(flags_of(self.part_types))

    def _add(self, flags: Iterable[Flag]) -> None:
        for flag in flags:
            if flag.part_type in self.groups and flag.dest not in self.added:
                self.added.add(flag.dest)
                self.groups[flag.part_type].add_argument(
                    flag.name, dest=flag.dest, metavar=metavar_of(flag.setting), help=help_of(flag.setting)
                )


def add_part_flags(parser: argparse.ArgumentParser, part_types: Sequence[str]) -> None:
    """Let a command accept the flags of these part types."""
    assert isinstance(parser, Parser)
    parser.later = PartFlags(parser, part_types)


def chosen_parts(args: argparse.Namespace, part_types: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The parts that the flags choose, by part type, as tables of name and settings."""
    given = vars(args)
    found: dict[str, list[dict[str, Any]]] = {}
    for part_type in part_types:
        named = given.get(f"part.{part_type}") or []
        names = [named] if isinstance(named, str) else list(named)
        tables: dict[str, dict[str, Any]] = {name: {"name": name} for name in names}
        dests = [key for key, value in given.items() if key.startswith(f"{part_type}.") and value is not None]
        for flag in _flags_of_dests(dests):
            if flag.part not in tables and names and part_type not in MANY:
                raise Usage(
                    f"{flag.name} is a setting of {flag.part}, but the {part_type} is {short_repr(names[0])}.",
                    hint=f"Pass --{part_type} {flag.part}, or omit {flag.name}.",
                    option=flag.name,
                )
            table = tables.setdefault(flag.part, {"name": flag.part})
            table = table.setdefault(flag.outer, {}) if flag.outer else table
            table[flag.setting.name] = value_of(flag.setting.type, given[flag.dest])
        if len(tables) > 1 and part_type not in MANY:
            raise Usage(
                f"Only one {part_type} can be used, got settings of {' and '.join(tables)}.", option=f"--{part_type}"
            )
        if tables:
            found[part_type] = list(tables.values())
    return found


def _flags_of_dests(dests: Sequence[str]) -> list[Flag]:
    """The flags that argparse stored under these names, sorted by part."""
    parts = sorted({dest.split(".")[1] for dest in dests})
    return [flag for part in parts for flag in flags_of_part(part) if flag.dest in dests]


def part_of(registry: Registry[Any], table: Mapping[str, Any], base: Any = None) -> Any:
    """The part that a table describes; missing settings are those of `base` if it is the same part."""
    settings = {key: value for key, value in table.items() if key != "name"}
    try:
        if base is None or base.name != table["name"]:
            return registry.part(table)
        return base.replace(**{key: _changed(getattr(base, key, None), value) for key, value in settings.items()})
    except OptionError as error:
        flags = flags_of_part(str(table["name"]), [registry.part_type])
        name = next((flag.name for flag in flags if flag.setting.name == error.details.get("option")), None)
        if name is None:
            raise
        remedy = error.remedy if error.hint else {"hint": f"See `hornbeam parts {table['name']}` for {name}."}
        raise OptionError(error.message, **remedy, **{**error.details, "option": name}) from None


def _changed(old: Any, value: Any) -> Any:
    """The value of a setting; a table for a nested part changes some of its settings."""
    from hornbeam.options import Part

    return old.replace(**value) if isinstance(old, Part) and isinstance(value, Mapping) else value


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _stems(flag: str) -> list[str]:
    """The name of a flag without its dashes, and also without a part type at its beginning."""
    name = flag[2:]
    return [name, *(name[len(each) + 1 :] for each in GROWING if name.startswith(f"{each}-"))]
