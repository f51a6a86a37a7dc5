"""Registry: all parts of one part type, found by name or by class.

The parts of a registry are the modules of one folder, one part per file. The first access imports the folder; other
packages add parts through the entry-point group `hornbeam.parts`. A part is given by value, by name, or as a table
with settings; its class is an attribute of the registry:

    criteria.part("gini")      stops.part({"name": "max_depth", "depth": 3})      stops.MaxDepth(depth=3)
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
    """All parts of one part type, by name; the part classes are attributes, such as `stops.MaxDepth`."""

    def __init__(self, part_type: str, base: type[P], package: str) -> None:
        self.part_type = part_type
        self.base = base
        self.package = package
        self._parts: dict[str, type[P]] | None = None

    def _loaded(self) -> dict[str, type[P]]:
        if self._parts is None:
            package = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self.package}.{module.name}")
            registered()
            found = sorted((part for part in _subclasses(self.base) if part.name), key=lambda part: part.name)
            duplicates = [a.name for a, b in itertools.pairwise(found) if a.name == b.name and a is not b]
            if duplicates:
                raise OptionError(
                    f"Two {self.part_type} parts have the name {short_repr(duplicates[0])}.", hint="Rename one of them."
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
        """Search for parts again at the next access, because one was defined after the first access."""
        self._parts = None

    def names(self) -> list[str]:
        """The names of all parts, sorted."""
        return list(self._loaded())

    def __iter__(self) -> Iterator[type[P]]:
        return iter(self._loaded().values())

    def __getattr__(self, name: str) -> Any:
        """The part class of this name; typed as Any, because every part class has parameters of its own."""
        if name.startswith("_"):
            raise AttributeError(name)
        classes = {part.__name__: part for part in self}
        if name not in classes:
            self.refresh()
            classes = {part.__name__: part for part in self}
        if name not in classes:
            hint = did_you_mean(name, classes)
            raise AttributeError(f"Unknown {self.part_type} class {short_repr(name)}. {hint}".rstrip(), name=name)
        return classes[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(part.__name__ for part in self)]

    def __repr__(self) -> str:
        rows = [(part.__name__, part.name, part.text()) for part in self]
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        lines = [f"  {kind.ljust(widths[0])}  {name.ljust(widths[1])}  {text}" for kind, name, text in rows]
        return "\n".join([f"Registry of {len(rows)} {self.part_type} parts:", *lines])

    def part_class(self, name: str) -> type[P]:
        """The class of a part, by the part's name."""
        parts = self._known(name)
        if name not in parts:
            self.refresh()
            parts = self._loaded()
        if name not in parts:
            raise OptionError(
                f"Unknown {self.part_type} {short_repr(name)}.",
                hint=did_you_mean(name, parts),
                option=self.part_type,
                got=name,
            )
        return parts[name]

    def part(self, given: P | str | Mapping[str, Any]) -> P:
        """A part from itself, its name, or a table of its name and settings."""
        if isinstance(given, self.base):
            return given
        if isinstance(given, str):
            return self.part_class(given)()
        if isinstance(given, Mapping):
            return self._from_table(given)
        raise OptionError(
            f"{self.part_type} must be a name, a table of settings or a part, "
            f"got {short_repr(given)} ({type(given).__name__}).",
            hint=available(self.names()),
        )

    def _from_table(self, table: Mapping[str, Any]) -> P:
        if not isinstance(table.get("name"), str):
            raise OptionError(f"A {self.part_type} table must contain a name, got {short_repr(dict(table))}.")
        part_class = self.part_class(table["name"])
        known = [each.name for each in settings_of(part_class)]
        settings = {key: value for key, value in table.items() if key != "name"}
        for key in settings:
            if key not in known:
                raise OptionError(
                    f"Unknown setting {short_repr(key)} of {self.part_type} {short_repr(part_class.name)}.",
                    hint=did_you_mean(key, known),
                    option=key,
                )
        return part_class(**settings)


def _subclasses(base: type[P]) -> Iterator[type[P]]:
    for child in base.__subclasses__():
        yield child
        yield from _subclasses(child)
