"""How is a whole method kept in one file?  A recipe is a method with a name, a target, a pruning and a seed; and, where
many trees answer together, a way to them: how many, on which rows.

    recipe("c45").with_changes(stops=[MaxDepth(depth=3)])          recipe("mine.toml")          recipe("cart").to_toml()

`recipe(...)` takes a name, a path to a TOML file or a recipe. Parts are given by value, by name or as tables.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import importlib.resources
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbeam.ensembles.methods import EnsembleMethod, ways
from hornbeam.errors import OptionError, available, did_you_mean, short_repr
from hornbeam.functions import import_functions
from hornbeam.growing.method import TARGETS, Method
from hornbeam.options import Part
from hornbeam.parts.searches.given_tables import read_tables
from hornbeam.seeds import as_seed
from hornbeam.toml_text import parsed_toml, read_toml, toml_text

# What a method without wishes says of itself.
_PLAIN: dict[str, Any] = collections.defaultdict(lambda: None, Method().as_table())


@dataclasses.dataclass(frozen=True)
class Recipe(Method):
    """A method with a name. `target` is "class", "number" or "any"; `pruning` is what cuts the grown tree back;
    `ensemble` makes many trees of it.
    """

    name: str = ""
    target: str = "any"
    pruning: Part | Mapping[str, Any] | str | None = None
    seed: int = 0
    ensemble: EnsembleMethod | Mapping[str, Any] | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target not in (*TARGETS, "any"):
            raise OptionError(
                f"target must be one of class, number, any; got {short_repr(self.target)}.", option="target"
            )
        if self.target != "any":
            self.check_target(self.target)
        object.__setattr__(self, "seed", as_seed(self.seed))
        if self.ensemble is not None:
            object.__setattr__(self, "ensemble", ways.part(self.ensemble))
            self._check_ensemble()

    def _check_ensemble(self) -> None:
        """Raise where parts are given that the way to many trees does not look at."""
        way = self.way
        grows = way is None or way.grows_by_recipe
        asked = {} if grows else {key: value for key, value in super().as_table().items() if value != _PLAIN[key]}
        ignored = next(iter(asked), None) or ("pruning" if self.pruning is not None and not grows else None)
        if way is not None and ignored is not None:
            raise OptionError(
                f"The ensemble {way.name} has settings of its own and does not look at {ignored}.",
                hint=available(list(way.settings())),
                option=ignored,
            )

    @property
    def way(self) -> EnsembleMethod | None:
        """The way to many trees, where the recipe is one of those."""
        return self.ensemble if isinstance(self.ensemble, EnsembleMethod) else None

    @property
    def member(self) -> Recipe:
        """How one of the trees is grown."""
        return self if self.ensemble is None else dataclasses.replace(self, ensemble=None)

    def one_tree(self) -> Recipe:
        """The recipe itself, unless it is one of many trees."""
        if self.way is not None:
            raise OptionError(
                f"The recipe {short_repr(self.name)} grows many trees; one that grows a single tree is needed.",
                hint="Use another recipe, or remove its ensemble.",
                option="recipe",
            )
        return self

    def check_target(self, target: str) -> None:
        """Raise unless all parts serve a target and the recipe is meant for it."""
        if self.target not in ("any", target):
            raise OptionError(
                f"The recipe {short_repr(self.name)} is for a {self.target}; the target is a {target}.", option="target"
            )
        super().check_target(target)

    def as_table(self) -> dict[str, Any]:
        """The recipe as plain values."""
        pruning = self.pruning.as_table() if isinstance(self.pruning, Part) else self.pruning
        head = {"name": self.name, "target": self.target}
        ensemble = self.way.as_table() if self.way is not None else None
        tail = {"pruning": pruning, "seed": self.seed or None, "ensemble": ensemble}
        return {**head, **super().as_table(), **{key: value for key, value in tail.items() if value is not None}}

    def to_toml(self) -> str:
        """The recipe as the text of a TOML file."""
        return toml_text(self.as_table())

    @classmethod
    def from_table(cls, table: Mapping[str, Any], *, trust: bool = False) -> Recipe:
        """A recipe from plain values; `trust` imports the functions that they name."""
        if trust:
            table = import_trusted(table)
        known = [field.name for field in dataclasses.fields(cls)]
        for key in table:
            if key not in known:
                raise OptionError(f"A recipe has no {short_repr(key)}.", hint=did_you_mean(key, known), option=key)
        return cls(**table)

    @classmethod
    def from_toml(cls, text: str, source: str = "the recipe", *, trust: bool = False) -> Recipe:
        """A recipe from the text of a TOML file; `trust` imports the functions that it names."""
        return cls.from_table(parsed_toml(text, source), trust=trust)


def recipe_names() -> list[str]:
    """The names of the recipes that come with the library."""
    files = importlib.resources.files(__package__).iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


@functools.lru_cache(maxsize=64)
def _own(name: str) -> Recipe | None:
    """A recipe that comes with the library, read once; None if there is none of this name."""
    if name not in recipe_names():
        return None
    text = importlib.resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return Recipe.from_toml(text, source=f"{name}.toml")


def import_trusted(table: Mapping[str, Any]) -> dict[str, Any]:
    """Plain values with the functions that they, and the files of questions in them, name by address, imported."""
    searches = table.get("searches", ())
    read = [
        {**{key: value for key, value in each.items() if key != "file"}, "questions": read_tables(each["file"])}
        if isinstance(each, Mapping) and each.get("name") == "custom_questions" and isinstance(each.get("file"), str)
        else each
        for each in (searches if isinstance(searches, (list, tuple)) else [searches])
    ]
    found: dict[str, Any] = import_functions({**table, "searches": read} if read else table)
    return found


def recipe(wanted: str | Path | Method, *, trust: bool = False) -> Recipe:
    """A recipe from its name, a path to its file, or itself.

    A file that names Python functions is refused unless `trust` is true: whoever wrote it chooses what is run.
    """
    if isinstance(wanted, Recipe):
        return wanted
    if isinstance(wanted, Method):
        return Recipe(**{field.name: getattr(wanted, field.name) for field in dataclasses.fields(Method)})
    if not isinstance(wanted, (str, Path)):
        raise OptionError(
            f"A recipe is given by name, as a file or as a value; got {short_repr(wanted)} ({type(wanted).__name__}).",
            hint=available(recipe_names()),
        )
    own = _own(wanted) if isinstance(wanted, str) else None
    if own is not None:
        return own
    path = Path(wanted)
    if path.suffix == ".toml" or isinstance(wanted, Path):
        return Recipe.from_table(read_toml(path, f"The recipe {short_repr(str(path), 300)}"), trust=trust)
    raise OptionError(
        f"There is no recipe called {short_repr(wanted)}.", hint=did_you_mean(str(wanted), recipe_names()), got=wanted
    )
