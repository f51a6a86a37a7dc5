"""Where are the parts of one sort, and how is one found by its name?

A shelf is a folder of modules, one part a file. The first look-up imports the folder; packages of other people add
parts through the entry-point group `hornbeam.parts`. A part can be asked for by value, by name, or as a table with
settings:

    criteria.part("gini")      stops.part({"name": "max_depth", "depth": 3})      stops.part(MaxDepth(depth=3))
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from hornbeam.errors import OptionError, available, did_you_mean, short_repr
from hornbeam.functions import registered
from hornbeam.options import Part, settings_of

P = TypeVar("P", bound=Part)


class Registry(Generic[P]):
    """All parts of one sort, by name."""

    def __init__(self, sort: str, base: type[P], package: str) -> None:
        self.part_type = sort
        self.base = base
        self.package = package
        self._parts: dict[str, type[P]] | None = None

    def _loaded(self) -> dict[str, type[P]]:
        if self._parts is None:
            package = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self.package}.{module.name}")
            registered()
            found = sorted((part for part in _below(self.base) if part.name), key=lambda part: part.name)
            twice = [a.name for a, b in itertools.pairwise(found) if a.name == b.name and a is not b]
            if twice:
                raise OptionError(
                    f"Two {self.part_type} parts are called {short_repr(twice[0])}.", hint="Rename one of them."
                )
            self._parts = {part.name: part for part in found}
        return self._parts

    def _known(self, name: str) -> dict[str, type[P]]:
        """All parts once they are loaded; until then only the part whose module has this name, if there is one."""
        module = f"{self.package}.{name}"
        if self._parts is None and name.isidentifier() and importlib.util.find_spec(module) is not None:
            defined = vars(importlib.import_module(module)).values()
            found = [each for each in defined if isinstance(each, type) and issubclass(each, self.base)]
            own = {part.name: part for part in found if part.name == name}
            if own:
                return own
        return self._loaded()

    def refresh(self) -> None:
        """Look again: a part was defined after the first look-up."""
        self._parts = None

    def names(self) -> list[str]:
        """The names on this shelf, sorted."""
        return list(self._loaded())

    def __iter__(self) -> Iterator[type[P]]:
        return iter(self._loaded().values())

    def kind(self, name: str) -> type[P]:
        """The part's class, by name."""
        parts = self._known(name)
        if name not in parts:
            self.refresh()
            parts = self._loaded()
        if name not in parts:
            raise OptionError(
                f"There is no {self.part_type} called {short_repr(name)}.",
                hint=did_you_mean(name, parts),
                option=self.part_type,
                got=name,
            )
        return parts[name]

    def part(self, wanted: P | str | Mapping[str, Any]) -> P:
        """A part from itself, its name, or a table of its name and settings."""
        if isinstance(wanted, self.base):
            return wanted
        if isinstance(wanted, str):
            return self.kind(wanted)()
        if isinstance(wanted, Mapping):
            return self._from_table(wanted)
        raise OptionError(
            f"A {self.part_type} is given by name, as a table or as a value; got {short_repr(wanted)} ({type(wanted).__name__}).",
            hint=available(self.names()),
        )

    def _from_table(self, table: Mapping[str, Any]) -> P:
        if not isinstance(table.get("name"), str):
            raise OptionError(f"A {self.part_type} as a table needs its name; got {short_repr(dict(table))}.")
        kind = self.kind(table["name"])
        known = [each.name for each in settings_of(kind)]
        settings = {key: value for key, value in table.items() if key != "name"}
        for key in settings:
            if key not in known:
                raise OptionError(
                    f"{self.part_type} {short_repr(kind.name)} has no setting {short_repr(key)}.",
                    hint=did_you_mean(key, known),
                    option=key,
                )
        return kind(**settings)


def _below(base: type[P]) -> Iterator[type[P]]:
    for child in base.__subclasses__():
        yield child
        yield from _below(child)
